import { ToolstileError } from "@toolstile/core";
import { didYouMean, quoted } from "@toolstile/core/provider";
import type { Flow, RailsConfigData } from "../config/model.js";
import type { ModelRail } from "./rail.js";
import type { SensitiveDataPort } from "./sensitive-data.js";

export type Direction = "input" | "output";

/** Makes the rail of a flow. @throws ToolstileError `ERR_CONFIG` for one that lacks its model, prompt, parser, service or section. */
export type Build = (
  flow: Flow,
  data: RailsConfigData,
  direction: Direction,
  port: SensitiveDataPort | undefined,
) => ModelRail;

/** The rails of one direction, by the names of their flows. */
export type RailTable = ReadonlyMap<string, Build>;

/** Makes the rails of flows, in their order. */
export type BuildRails = (
  flows: readonly Flow[],
  data: RailsConfigData,
  port?: SensitiveDataPort,
) => readonly ModelRail[];

/**
 * Makes rails by a table.
 *
 * What it gives throws a ToolstileError `ERR_CONFIG` for a flow that is not such a rail, or lacks what it needs.
 */
export function railsOf(direction: Direction, table: RailTable): BuildRails {
  return (flows, data, port) =>
    flows.map((flow) => {
      const build = table.get(flow.name);
      if (build !== undefined) return build(flow, data, direction, port);
      throw new ToolstileError(
        "ERR_CONFIG",
        `There is no ${direction} rail ${quoted(flow.text)}.${didYouMean(flow.name, table.keys())} There are: ${[...table.keys()].join(", ")}.`,
      );
    });
}
