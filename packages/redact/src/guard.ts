import type {
  ContentPart,
  GuardrailProvider,
  GuardrailResult,
  JsonObject,
  JsonValue,
  ResultDecision,
  ToolContent,
  ToolResult,
} from "@toolstile/core";
import { allow, deny, modify, rewrite } from "@toolstile/core";
import { nonEmptyText, type OptionTable, oneOf, readOptions } from "@toolstile/core/host";
import { completed, type RedactorOptions, redactorOptions } from "./redactor/options.js";
import { builtRedactor, type Redactor } from "./redactor/redactor.js";

/** The action of a guard on its findings: nothing, put marks in place of it, or stop the call or its result. */
export type OnSensitiveData = "allow" | "mask" | "deny";

export interface RedactOptions extends RedactorOptions {
  /** The action on arguments. Default: "allow", for a tool may need what it is given. */
  readonly arguments?: OnSensitiveData | undefined;
  /** The action on results. Default: "mask". */
  readonly results?: OnSensitiveData | undefined;
  /** Default: "redact". */
  readonly name?: string | undefined;
}

const onFound = oneOf("allow", "mask", "deny");
const redactOptions: OptionTable<RedactOptions> = {
  ...redactorOptions,
  arguments: onFound,
  results: onFound,
  name: nonEmptyText(),
};

/**
 * Masks secrets and personal data in results, and in arguments where asked.
 *
 * A reason names kinds and never a value. Images and sound are not looked into.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` for wrong options.
 */
export function redact(options: RedactOptions = {}): GuardrailProvider {
  const {
    arguments: onArguments = "allow",
    results: onResults = "mask",
    name = "redact",
    ...rest
  } = readOptions("redact", options, redactOptions);
  completed("redact", rest);
  const redactor = builtRedactor(rest);
  return {
    name,
    evaluate({ args }): GuardrailResult {
      if (onArguments === "allow") return allow();
      const { value, kinds } = redactor.json(args);
      if (kinds.length === 0) return allow();
      if (onArguments === "deny") return refused("the arguments hold", kinds);
      return modify(value as JsonObject, {
        reason: `redacted ${kinds.join(", ")}`,
        metadata: { kinds },
      });
    },
    evaluateResult(_call, result): ResultDecision {
      if (onResults === "allow") return allow();
      const found = new Set<string>();
      const content = redactedContent(redactor, result.content, found);
      const structured = redactedStructured(redactor, result, found);
      const kinds = [...found];
      if (kinds.length === 0) return allow();
      if (onResults === "deny") return refused("the result holds", kinds);
      const body = { content, ...(structured === undefined ? {} : { structured }) };
      return rewrite(body, { reason: `redacted ${kinds.join(", ")}`, metadata: { kinds } });
    },
  };
}

function refused(what: string, kinds: readonly string[]) {
  return deny(`${what} sensitive data: ${kinds.join(", ")}`, {
    code: "sensitive_data",
    metadata: { kinds },
  });
}

function redactedContent(
  redactor: Redactor,
  content: ToolContent,
  found: Set<string>,
): ToolContent {
  if (typeof content === "string") return noted(redactor.text(content), found);
  return content.map((part) => redactedPart(redactor, part, found));
}

/** Bytes of media are left alone: a changed one would be no image. */
const media = new Set(["image", "audio", "image_url", "input_image", "input_audio"]);

function redactedPart(redactor: Redactor, part: ContentPart, found: Set<string>): ContentPart {
  const { type, ...rest } = part;
  const entries = Object.entries(rest).map(([name, value]): [string, unknown] => {
    const isBytes = media.has(type) && (name === "data" || name === type);
    return [name, isBytes ? value : noted(redactor.json(value as JsonValue), found)];
  });
  return { type, ...Object.fromEntries(entries) };
}

function redactedStructured(redactor: Redactor, { structured }: ToolResult, found: Set<string>) {
  return structured === undefined ? undefined : noted(redactor.json(structured), found);
}

function noted<Value>(
  { value, kinds }: { readonly value: Value; readonly kinds: readonly string[] },
  found: Set<string>,
): Value {
  for (const kind of kinds) found.add(kind);
  return value;
}
