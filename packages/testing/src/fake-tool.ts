import type { JsonObject, ToolDefinition } from "@toolstile/core";

/** A tool that remembers the arguments of each run. */
export interface FakeTool extends ToolDefinition {
  readonly execute: (args: JsonObject) => unknown;
  /** The arguments of each run, in order. */
  readonly runs: readonly JsonObject[];
}

/** What a test may say about the tool. */
export interface FakeToolOptions extends Partial<Omit<ToolDefinition, "name">> {
  /** What the tool does. Default: it returns "done". */
  readonly execute?: ((args: JsonObject) => unknown) | undefined;
}

/** A tool that remembers each run, for asserting that one did or did not run, and with what. */
export function fakeTool(name = "search", options: FakeToolOptions = {}): FakeTool {
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
