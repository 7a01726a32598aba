import type { JsonObject, ToolDefinition } from "@toolstile/core";
import { isJsonObject, optionError } from "@toolstile/core/provider";

/** A tool that remembers the arguments of each run. */
export interface FakeTool extends ToolDefinition {
  readonly execute: (args: JsonObject) => unknown;
  /** The arguments of each run, in order. */
  readonly runs: readonly JsonObject[];
}

/** The facts that a test may give of the tool. */
export interface FakeToolOptions extends Partial<Omit<ToolDefinition, "name">> {
  /** The tool's work. Default: it returns "done". */
  readonly execute?: ((args: JsonObject) => unknown) | undefined;
}

/** A tool that remembers each run, for asserting that one did or did not run, and with what. */
export function fakeTool(name = "search", options: FakeToolOptions = {}): FakeTool {
  if (typeof name !== "string" || name === "") {
    throw optionError("fakeTool()", "name", "a non-empty string", name);
  }
  const given: unknown = options;
  if (!isJsonObject(given)) throw optionError("fakeTool()", "options", "an object", given);
  const { execute = () => "done", ...definition } = options;
  const runs: JsonObject[] = [];
  return {
    description: `A stand-in named ${name}.`,
    ...definition,
    name,
    runs,
    execute(args) {
      runs.push(args);
      return execute(args);
    },
  };
}
