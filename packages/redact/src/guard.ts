import type {
  Guardrail,
  GuardrailProvider,
  GuardrailResult,
  JsonObject,
  JsonValue,
  ResultDecision,
  ResultGuardrail,
  ToolResult,
} from "@toolstile/core";
import {
  allow,
  deny,
  modify,
  nonEmptyText,
  type OptionTable,
  oneOf,
  readOptions,
  rewrite,
  textsAround,
} from "@toolstile/core/provider";
import { Unrecognized } from "./outside/ask.js";
import { Outside } from "./outside/outside.js";
import { type Recognizer, recognizerList } from "./outside/recognizer.js";
import { type Body, Parts } from "./parts.js";
import { allowing } from "./redactor/allowed.js";
import type { Redacted } from "./redactor/json-pass.js";
import { completed, type RedactorOptions, redactorOptions } from "./redactor/options.js";
import { builtRedactor, markedKinds, type Redactor } from "./redactor/redactor.js";

/** The action of a guard on its findings: nothing, put marks in place of it, or stop the call or its result. */
export type OnSensitiveData = "allow" | "mask" | "deny";

export interface RedactOptions extends RedactorOptions {
  /** The action on arguments. Default: "allow", for a tool may need what it is given. */
  readonly arguments?: OnSensitiveData | undefined;
  /** The action on results. Default: "mask". */
  readonly results?: OnSensitiveData | undefined;
  /** Find what no structure tells, in what is masked: names, addresses, dates of birth. Default: none. */
  readonly recognizers?: readonly Recognizer[] | undefined;
  /** Default: "redact". */
  readonly name?: string | undefined;
}

const onFound = oneOf("allow", "mask", "deny");
const redactOptions: OptionTable<RedactOptions> = {
  ...redactorOptions,
  arguments: onFound,
  results: onFound,
  recognizers: recognizerList,
  name: nonEmptyText(),
};

/**
 * Masks secrets and personal data in results, and in arguments where asked.
 *
 * Unless it looks into arguments, it judges results only: a call that no other guard judged is denied. A reason names kinds
 * and never a value. Images and sound are not looked into.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` for wrong options.
 */
export function redact(
  options: RedactOptions & { readonly arguments: "mask" | "deny" },
): GuardrailProvider;
export function redact(options?: RedactOptions): Guardrail;
export function redact(options: RedactOptions = {}): Guardrail {
  const {
    arguments: onArguments = "allow",
    results: onResults = "mask",
    name = "redact",
    recognizers = [],
    ...rest
  } = readOptions("redact", options, redactOptions);
  const others = [...new Set(recognizers.flatMap(({ kinds }) => kinds))];
  const read = completed("redact", rest, others);
  const redactor = builtRedactor(rest, others);
  const outside =
    recognizers.length === 0
      ? undefined
      : new Outside(recognizers, read, markedKinds(others), allowing(rest.allow ?? []));
  const ofArguments = (value: JsonValue, kinds: readonly string[]): GuardrailResult => {
    if (kinds.length === 0) return allow();
    if (onArguments === "deny") return refused("the arguments hold", kinds);
    return modify(value as JsonObject, noted(kinds));
  };
  const ofResult = (body: Body, kinds: readonly string[]): ResultDecision => {
    if (kinds.length === 0) return allow();
    return onResults === "deny" ? refused("the result holds", kinds) : rewrite(body, noted(kinds));
  };
  let plain: Redactor | undefined;
  const isItem = (text: string): boolean => {
    plain ??= builtRedactor({ ...rest, encoded: false }, others);
    return plain.find(text).length > 0;
  };
  const known = new WeakMap<readonly string[], readonly Redacted<string>[]>();
  /** A text of a stream without what is divided over it and the texts beside it; undefined for any other result. */
  const dividedIn = (result: ToolResult): Redacted<string> | undefined => {
    const { texts, at } = textsAround(result) ?? { texts: [], at: 0 };
    if (texts.length === 0) return undefined;
    const divided = known.get(texts) ?? redactor.divided(texts);
    known.set(texts, divided);
    return divided[at];
  };
  const judge: ResultGuardrail = {
    name,
    ...(outside === undefined ? {} : { timeoutMs: Math.max(5_000, outside.timeoutMs + 1_000) }),
    evaluateResult({ signal }, result) {
      if (onResults === "allow") return allow();
      const divided = dividedIn(result);
      const parts = new Parts(divided === undefined ? result : { content: divided.value }, isItem);
      const found = parts.values.map((value) => redactor.json(value));
      const kinds = both(divided?.kinds ?? [], ...found.map((each) => each.kinds));
      const values = found.map(({ value }) => value);
      if (outside === undefined || (onResults === "deny" && kinds.length > 0))
        return ofResult(parts.with(values), kinds);
      return answered(async () => {
        const others = await outside.values(values, signal);
        return ofResult(parts.with(others.value), both(kinds, others.kinds));
      });
    },
  };
  if (onArguments === "allow") return judge;
  return {
    ...judge,
    evaluate({ args, signal }) {
      const { value, kinds } = redactor.json(args);
      if (outside === undefined || (onArguments === "deny" && kinds.length > 0))
        return ofArguments(value, kinds);
      return answered(async () => {
        const found = await outside.values([value], signal);
        return ofArguments(found.value[0] as JsonValue, both(kinds, found.kinds));
      });
    },
  };
}

/** Denies a call or a result about which a recogniser did not answer: nobody knows what is in it. */
async function answered<Decision>(
  decide: () => Promise<Decision>,
): Promise<Decision | ReturnType<typeof unanswered>> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof Unrecognized) return unanswered(error);
    throw error;
  }
}

function unanswered({ message }: Unrecognized) {
  return deny(message, { code: "recognizer_failed" });
}

function both(...kinds: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(kinds.flat())];
}

function noted(kinds: readonly string[]) {
  return { reason: `redacted ${kinds.join(", ")}`, metadata: { kinds } };
}

function refused(what: string, kinds: readonly string[]) {
  return deny(`${what} sensitive data: ${kinds.join(", ")}`, {
    code: "sensitive_data",
    metadata: { kinds },
  });
}
