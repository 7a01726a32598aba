import type { ToolstileError } from "@toolstile/core";
import { didYouMean, quoted } from "@toolstile/core/provider";
import { knownFlows } from "../config/flows.js";
import type { Flow, RailsConfigData } from "../config/model.js";
import { wrongConfig } from "../errors.js";
import type { Direction, ModelRail, RailOfFlow } from "./rail.js";
import type { SensitiveDataPort } from "./sensitive-data.js";

/** Makes the rail of a flow. @throws ToolstileError `ERR_CONFIG` for one that lacks its model, prompt, parser, service or section. */
export type Build = (
  flow: Flow,
  data: RailsConfigData,
  direction: Direction,
  port: SensitiveDataPort | undefined,
) => RailOfFlow;

/** The rails of both directions, by the names of their flows. */
export type RailTable = ReadonlyMap<string, Build>;

/** Makes the rails of flows, in their order. */
export type BuildRails = (
  flows: readonly Flow[],
  data: RailsConfigData,
  direction: Direction,
  port?: SensitiveDataPort,
) => readonly ModelRail[];

/**
 * Makes rails by a table.
 *
 * What it gives throws a ToolstileError `ERR_CONFIG` for a flow that is not such a rail, or lacks what it needs.
 */
export function railsOf(table: RailTable): BuildRails {
  return (flows, data, direction, port) => {
    const isHere = (name: string): boolean => knownFlows.get(name)?.family === direction;
    return flows.map((flow) => {
      const build = isHere(flow.name) ? table.get(flow.name) : undefined;
      if (build !== undefined) {
        return { flow: flow.text, name: flow.name, ...build(flow, data, direction, port) };
      }
      const names = [...table.keys()].filter(isHere);
      throw wrongConfig(
        `There is no ${direction} rail ${quoted(flow.text)}.${didYouMean(flow.name, names)} There are: ${names.join(", ")}.`,
      );
    });
  };
}

/** The error for a flow that cannot run as it is configured. */
export function wrongFlow(flow: Flow, what: string): ToolstileError {
  return wrongConfig(`The flow ${quoted(flow.text)} ${what}`);
}
