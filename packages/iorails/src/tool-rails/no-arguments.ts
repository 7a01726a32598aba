import { allow, deny, type GuardrailProvider } from "@toolstile/core";
import { ownValue, quoted } from "@toolstile/core/provider";

/** Keywords by which a schema says that there may be properties, whatever their value. */
export const openKeywords: readonly string[] = [
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "anyOf",
  "oneOf",
  "allOf",
  "if",
  "dependencies",
  "dependentSchemas",
];

/** Keywords that let properties in unless they are `false`. */
const openUnlessFalse = ["additionalProperties", "unevaluatedProperties"];

/** Keywords that let properties in unless they are empty. */
const openUnlessEmpty = ["properties", "patternProperties", "required"] as const;

/**
 * True if a schema lets a tool have no arguments at all.
 *
 * An open `{ type: "object" }` declares none, and a tool that declares none
 * must be given none.
 */
function takesNoArguments(schema: unknown): boolean {
  if (schema === undefined || schema === null) return true;
  if (typeof schema !== "object") return false;
  if ([...openKeywords, "not"].some((keyword) => Object.hasOwn(schema, keyword))) return false;
  if (openUnlessFalse.some((keyword) => (ownValue(schema, keyword) ?? false) !== false))
    return false;
  if (openUnlessEmpty.some((keyword) => size(ownValue(schema, keyword)) > 0)) return false;
  return !(Number(ownValue(schema, "minProperties") ?? 0) > 0);
}

function size(value: unknown): number {
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

/** Deny arguments for a function that declares none. Hosted tools are their provider's business. */
export function noArguments(name: string): GuardrailProvider {
  return {
    name,
    evaluate: ({ tool, args, toolName }) => {
      if (tool === undefined || ownValue(tool.annotations, "hosted") === true) return allow();
      const count = Object.keys(args).length;
      if (count === 0 || !takesNoArguments(tool.parameters)) return allow();
      const reason = `tool ${quoted(toolName)} accepts no arguments but the call supplied ${count} argument${count === 1 ? "" : "s"}`;
      return deny(reason, { code: "unexpected_arguments" });
    },
  };
}
