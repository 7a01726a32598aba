import { ToolstileError } from "../errors/error.js";
import { didYouMean, quoted } from "../errors/names.js";
import type { Guard } from "../guard/guard.js";

/** The name under which records tell of the schema of a tool, which no guard may have beside it. */
export const schemaName = "parameters";

/** @throws ToolstileError `ERR_UNKNOWN_TOOL` for a name in a guard's configuration that no tool has. */
export function checkToolNames(guards: readonly Guard[], tools: ReadonlySet<string>): void {
  for (const { facts } of guards) {
    for (const name of facts.tools) {
      if (tools.has(name)) continue;
      throw new ToolstileError(
        "ERR_UNKNOWN_TOOL",
        `The guardrail ${quoted(facts.name)} names the tool ${quoted(name)}, which does not exist.${didYouMean(name, tools)}`,
      );
    }
  }
}

/** Makes the error for a guard with the name of one that a tool has of its own: records could not tell them apart. */
export function nameTaken(guard: string, tool: string): ToolstileError {
  const text =
    guard === schemaName
      ? `A guardrail is named '${schemaName}', under which records tell of the schema of the tool ${quoted(tool)}. Give it another name.`
      : `Two guardrails are named ${quoted(guard)}: the runner's and a tool's. Give one of them another name.`;
  return new ToolstileError("ERR_DUPLICATE_PROVIDER", text);
}
