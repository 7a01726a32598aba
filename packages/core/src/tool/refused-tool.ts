import { ToolstileError } from "../errors/error.js";
import { quoted } from "../errors/names.js";
import { register } from "../guard/compose.js";
import type { Guard } from "../guard/guard.js";
import { ownValue } from "../json/own.js";
import type { ToolDefinition } from "../protocol/guardrail.js";

/** A tool that was not loaded, and why. */
export interface RefusedTool {
  readonly name: string;
  readonly refusedBy: string;
  readonly cause: unknown;
}

/** Tells guards of a tool. Those of them that cover it may refuse it. */
export function refusals(
  guards: readonly Guard[],
  name: string,
  definition: ToolDefinition,
): readonly RefusedTool[] {
  const refused: RefusedTool[] = [];
  for (const guard of guards) {
    try {
      if (guard.covers(name)) register(guard, definition);
    } catch (cause) {
      refused.push({ name, refusedBy: guard.facts.name, cause });
    }
  }
  return refused;
}

/** Says why calls of a refused tool are denied, in words for the model. */
export function refusalOf({ refusedBy, cause }: RefusedTool): string {
  if (refusedBy !== "core") return "a guardrail did not take it on";
  const code = ToolstileError.isInstance(cause) ? cause.code : undefined;
  if (code === "ERR_UNCHECKED_TOOL") return "no guardrail holds its arguments to its schema";
  return code === "ERR_DUPLICATE_TOOL" ? "two tools have its name" : "its definition is not right";
}

/** Makes the error of a tool that is refused where every tool must be loaded. */
export function refusalError({ name, refusedBy, cause }: RefusedTool): ToolstileError {
  if (ToolstileError.isInstance(cause)) return cause;
  if (refusedBy === "core") {
    const problem = `The tool ${quoted(name)} must be readable, and reading it threw.`;
    return new ToolstileError("ERR_INVALID_TOOL", problem, { cause });
  }
  return new ToolstileError(
    "ERR_TOOL_REFUSED",
    `The tool ${quoted(name)} was refused by the guardrail ${quoted(refusedBy)}.`,
    { cause },
  );
}

export function namelessError(index: number, given: unknown): ToolstileError {
  const hint = isWrapped(given) ? " Pass what is under its `function`." : "";
  const text = `Tool number ${index + 1} of the list must be an object with a name, such as { name: "search" }.${hint}`;
  return new ToolstileError("ERR_INVALID_TOOL", text);
}

/** True for a tool as OpenAI declares it. */
function isWrapped(given: unknown): boolean {
  try {
    return typeof ownValue(given, "function") === "object";
  } catch {
    return false;
  }
}

export function duplicateError(name: string): ToolstileError {
  return new ToolstileError("ERR_DUPLICATE_TOOL", `Two tools are named ${quoted(name)}.`);
}

export function uncheckedError(name: string): ToolstileError {
  return new ToolstileError(
    "ERR_UNCHECKED_TOOL",
    `The tool ${quoted(name)} declares a JSON Schema, and no guardrail checks its arguments against it. Add schemaValidation() from @toolstile/schema, or write \`unchecked: true\`.`,
  );
}
