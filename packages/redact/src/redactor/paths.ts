import type { JsonValue } from "@toolstile/core";
import { type RedactAction, type RedactTokens, replacing } from "./actions.js";

interface Rule {
  readonly names: readonly string[];
  readonly action: RedactAction | "keep";
}

/** The statements about places in a JSON value, by pointer (RFC 6901) with `*` for any one name. */
export class Paths {
  readonly #rules: readonly Rule[];
  readonly #key: string | Uint8Array | undefined;
  readonly #tokens: RedactTokens | undefined;

  constructor(
    paths: Readonly<Record<string, RedactAction | "keep">>,
    key: string | Uint8Array | undefined,
    tokens: RedactTokens | undefined,
  ) {
    this.#rules = Object.entries(paths).map(([pointer, action]) => ({
      names: pointer
        .split("/")
        .slice(1)
        .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")),
      action,
    }));
    this.#key = key;
    this.#tokens = tokens;
  }

  /** The statement about this place; undefined elsewhere. */
  at(path: readonly string[], value: JsonValue): { readonly value: JsonValue } | undefined {
    const rule = this.#rules.find(
      ({ names }) =>
        names.length === path.length &&
        names.every((name, index) => name === "*" || name === path[index]),
    );
    if (rule === undefined) return undefined;
    const { action } = rule;
    if (action === "keep" || value === null) return { value };
    const text = typeof value === "string" ? value : JSON.stringify(value);
    if (/^\[redacted(?: path[^\]]{0,32})?\]$/.test(text)) return { value };
    return {
      value: replacing(
        () => action,
        this.#key,
        this.#tokens,
      )({ kind: "path", start: 0, end: text.length }, text),
    };
  }
}
