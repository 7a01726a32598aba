import { ToolstileError } from "@toolstile/core";
import type { RefusedTool } from "@toolstile/core/host";
import { quoted } from "@toolstile/core/provider";
import type { ToolList } from "./tool-list.js";

/** Makes the error that tells operators why a tool is withheld. */
export function withheldTool(name: string, reason: string, cause?: unknown): ToolstileError {
  const end = reason.endsWith("?") ? "" : ".";
  const message = `The tool ${quoted(name)} is withheld: ${reason}${end}`;
  return new ToolstileError("ERR_TOOL_REFUSED", message, { cause });
}

/** The same of a guard's refusal, in its own words if it is one of this project's errors. */
export function refusedTool({ name, refusedBy, cause }: RefusedTool): ToolstileError {
  const refused = `${quoted(refusedBy)} refused it`;
  if (!ToolstileError.isInstance(cause)) return withheldTool(name, refused, cause);
  const [, words = cause.message] = cause.message.split(`Tool ${quoted(name)} is refused: `);
  return withheldTool(name, `${refused}: ${words.replace(/\.$/, "")}`, cause);
}

/** Makes the error that tells operators of entries of a list that are not tools. */
export function unreadable({ unreadable, tools }: ToolList): ToolstileError {
  return new ToolstileError(
    "ERR_TOOL_REFUSED",
    `${unreadable} of the ${unreadable + tools.length} tools that the server lists are withheld: each must be an object with a name.`,
  );
}
