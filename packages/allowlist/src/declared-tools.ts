import type { GuardrailProvider } from "@toolstile/core";
import { allow, deny, nonEmptyText, quoted, readOptions } from "@toolstile/core/provider";

/**
 * Deny every tool that is not declared.
 *
 * A tool is declared if the runner was given it, or if the call brings it along
 * in its `tools`: a chat request lists the tools that its model may use. The
 * schemas of declared tools are checked by another guard.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`.
 */
export function declaredTools(
  options: { readonly name?: string | undefined } = {},
): GuardrailProvider {
  const { name } = readOptions("declaredTools()", options, {
    name: nonEmptyText().default("declared-tools"),
  });
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
