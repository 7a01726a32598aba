import type { JsonObject, JsonValue } from "@toolstile/core";
import type { Finding } from "../scan/findings.js";
import { marked, redactedJson, type TextReading } from "./json-pass.js";
import type { Paths } from "./paths.js";

/** A finding in a JSON value, in UTF-16 units of the text, or of the number, at its path. */
export interface JsonFinding extends Finding {
  /** The JSON Pointer of the text; "" is the value itself. Items in names stand in it as in the redacted value. */
  readonly path: string;
  /** True where it was found in the name of a member, the last one of the path. */
  readonly inName?: true | undefined;
}

/** The findings in a JSON value, in the order in which they stand there. */
export function foundInJson(
  value: JsonValue,
  reading: TextReading,
  paths: Paths,
): readonly JsonFinding[] {
  const { leaves } = redactedJson(value, reading, paths);
  const findings: JsonFinding[] = [];
  let leaf = 0;
  /** The findings in the next leaf, and how it stands in a pointer. */
  const next = (): {
    readonly found: readonly Finding[];
    readonly step: (name: string) => string;
  } => {
    const found = leaves.get(leaf)?.found ?? [];
    leaf += 1;
    const step = (name: string) =>
      marked(name, reading.marks(name, found)).replaceAll("~", "~0").replaceAll("/", "~1");
    return { found, step };
  };
  const walk = (value: JsonValue, names: readonly string[], path: string): void => {
    const ruled = paths.at(names, value);
    if (ruled !== undefined) {
      if (ruled.value === value) return;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      findings.push({ path, start: 0, end: text.length, kind: "path" });
    } else if (typeof value === "string" || typeof value === "number") {
      for (const found of next().found) findings.push({ path, ...found });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        walk(item, [...names, String(index)], `${path}/${index}`);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value as JsonObject)) {
        const { found, step } = next();
        const own = `${path}/${step(name)}`;
        for (const each of found) findings.push({ path: own, ...each, inName: true });
        if (member !== undefined) walk(member, [...names, name], own);
      }
    }
  };
  walk(value, [], "");
  return findings;
}
