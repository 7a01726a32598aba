import { ToolstileError } from "@toolstile/core/provider";

/** True for the refusal of a tool of which no guard checks the arguments. */
export function isUnchecked(cause: unknown): cause is ToolstileError {
  return ToolstileError.isInstance(cause) && cause.code === "ERR_UNCHECKED_TOOL";
}

/** Says once for all such tools what is missing. It is missing in the guard.yaml, so the words are those of a file. */
export function uncheckedWords(names: readonly string[]): string {
  const [tools, they] = names.length === 1 ? ["this tool", "it is"] : ["these tools", "they are"];
  return `no guard checks the arguments of ${tools} against a JSON Schema, so ${they} refused. Write \`- use: "@toolstile/schema"\` under guards, or give --unchecked if you intend that: ${names.join(", ")}`;
}
