import { allow, deny, type GuardrailProvider, quoted, ToolstileError } from "@toolstile/core";
import { readMembers } from "./plain-object.js";

/**
 * Deny every tool that nobody declared.
 *
 * What is declared is what the runner was given, and what a call brings along
 * as its `tools`: a chat request lists the tools that its model may use. The
 * schemas of those that are declared are another guardrail's business.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`.
 */
export function declaredTools(
  options: { readonly name?: string | undefined } = {},
): GuardrailProvider {
  const { name = "declared-tools" } = readMembers("declaredTools", options, ["name"]);
  if (typeof name !== "string" || name === "") {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "declaredTools: name is a text that is not empty.",
    );
  }
  return {
    name,
    evaluate: (call) =>
      Object.hasOwn(call, "tool") && call.tool !== undefined
        ? allow()
        : deny(`tool call ${quoted(call.toolName)} is not an allowed tool`, {
            code: "not_allowed",
          }),
  };
}
