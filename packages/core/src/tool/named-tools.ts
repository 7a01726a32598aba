import { ToolstileError } from "../errors/error.js";
import { didYouMean, quoted } from "../errors/names.js";
import type { Guard } from "../guard/guard.js";

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
