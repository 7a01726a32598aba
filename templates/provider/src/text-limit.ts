import { allow, deny, type GuardrailProvider, type JsonValue } from "@toolstile/core";
import { nonEmptyText, type OptionTable, readOptions, whole } from "@toolstile/core/provider";

/** The options of `textLimit()`. */
export interface TextLimitOptions {
  /** Characters that all text in a call's arguments may have together. Default 10,000. */
  readonly maxCharacters?: number | undefined;
  /** The guard's name. Default "text-limit". Give each its own where a chain has several. */
  readonly name?: string | undefined;
}

const table = {
  maxCharacters: whole(1).default(10_000),
  name: nonEmptyText().default("text-limit"),
} satisfies OptionTable<TextLimitOptions>;

/**
 * Deny a call whose arguments hold more text than `maxCharacters`.
 *
 * Names of members count as text too. Its denials have the code `too_much_text`.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION` for wrong options.
 */
export function textLimit(options: TextLimitOptions = {}): GuardrailProvider {
  const { maxCharacters, name } = readOptions("textLimit()", options, table);
  return {
    name,
    evaluate: ({ args }) =>
      charactersIn(args) <= maxCharacters
        ? allow()
        : // The model reads this. It says what is permitted, and quotes nothing of the call.
          deny(`the arguments have more than ${maxCharacters} characters of text`, {
            code: "too_much_text",
          }),
  };
}

/** Core bounds the depth and the size of arguments, so that this ends. */
function charactersIn(value: JsonValue | undefined): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let total = 0;
  for (const [key, member] of Object.entries(value)) {
    total += charactersIn(member);
    if (!Array.isArray(value)) total += key.length;
  }
  return total;
}
