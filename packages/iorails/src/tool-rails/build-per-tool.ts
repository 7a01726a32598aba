import type { PerToolCheck, ToolFamily } from "../config/flows.js";
import { knownFlows } from "../config/flows.js";
import type { Flow, RailsConfigData } from "../config/model.js";
import type { PerToolRail, PerToolRails } from "./per-tool-rail.js";

/** Makes the judgement of a flow. @throws ToolstileError `ERR_CONFIG` for what it needs and is not there. */
export type MakePerToolRail = (
  flow: Flow,
  family: ToolFamily,
  tool: string,
  data: RailsConfigData,
) => PerToolRail["judge"];

/** Makes the rails of single tools, as far as a configuration has them. */
export type PerToolMakers = Partial<Readonly<Record<PerToolCheck, MakePerToolRail>>>;

/** The rails of single tools that a section has. @throws as their makers do. */
export function buildPerToolRails(
  family: ToolFamily,
  data: RailsConfigData,
  makers: PerToolMakers,
): PerToolRails {
  const { perTool } = family === "tool_call" ? data.toolCall : data.toolResult;
  return new Map(
    Object.entries(perTool).map(([tool, flows]) => [
      tool,
      flows.map((flow) => {
        const check = knownFlows.get(flow.name)?.perTool;
        const make = check === undefined ? undefined : makers[check];
        if (make === undefined) throw new TypeError(`No module was loaded for ${flow.name}.`);
        return { flow: flow.text, name: flow.name, judge: make(flow, family, tool, data) };
      }),
    ]),
  );
}
