import type { Path } from "@toolstile/config/yaml";
import { type FlowFamily, flowFamilies } from "./flows.js";
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
  const sections = { input, output, tool_call: toolCall, tool_result: toolResult };
  return flowFamilies.flatMap((family): readonly FlowList[] => {
    const section = sections[family];
    const ofTools = "perTool" in section ? Object.entries(section.perTool) : [];
    const place = ["rails", family];
    return [
      { path: [...place, "flows"], family, tool: undefined, flows: section.flows },
      ...ofTools.map(([tool, flows]) => {
        return { path: [...place, "per_tool", tool], family, tool, flows };
      }),
    ];
  });
}

/** All flows of a configuration, each with its list and its path. */
export function placedFlows(data: Sections) {
  return flowLists(data).flatMap((list) =>
    list.flows.map((flow, index) => ({ list, flow, path: [...list.path, index] })),
  );
}
