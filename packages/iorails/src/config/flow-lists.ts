import type { Path } from "@toolstile/config/yaml";
import type { FlowFamily } from "./flows.js";
import type { Flow, RailsConfigData } from "./model.js";

/** Flows that stand in one list of a configuration. */
export interface FlowList {
  readonly path: Path;
  readonly family: FlowFamily;
  /** The tool that they judge, of a list under `per_tool`. */
  readonly tool: string | undefined;
  readonly flows: readonly Flow[];
}

type Sections = Pick<RailsConfigData, "input" | "output" | "toolCall" | "toolResult">;

/** All lists of flows: those of the sections, and those of single tools. */
export function flowLists({ input, output, toolCall, toolResult }: Sections): readonly FlowList[] {
  const ofSection = (family: FlowFamily, flows: readonly Flow[]): FlowList => {
    return { path: ["rails", family, "flows"], family, tool: undefined, flows };
  };
  const ofTools = (
    family: FlowFamily,
    perTool: Readonly<Record<string, readonly Flow[]>>,
  ): readonly FlowList[] =>
    Object.entries(perTool).map(([tool, flows]) => {
      return { path: ["rails", family, "per_tool", tool], family, tool, flows };
    });
  return [
    ofSection("input", input.flows),
    ofSection("output", output.flows),
    ofSection("tool_call", toolCall.flows),
    ...ofTools("tool_call", toolCall.perTool),
    ofSection("tool_result", toolResult.flows),
    ...ofTools("tool_result", toolResult.perTool),
  ];
}
