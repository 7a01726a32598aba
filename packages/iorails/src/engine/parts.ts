import type { ToolRunnerOptions } from "@toolstile/core";
import { quoted } from "@toolstile/core/provider";
import type { ToolFamily } from "../config/flows.js";
import type { RailsConfigData } from "../config/model.js";
import { readToggles, type Toggles } from "../config/toggles.js";
import { invalid, wrongConfig } from "../errors.js";
import {
  type HttpPorts,
  type ModelClient,
  modelClient,
  type ServiceClient,
  serviceClient,
  systemPorts,
} from "../http/model-client.js";
import { Latest } from "../latest.js";
import type { Direction, ModelRail } from "../model-rails/rail.js";
import { servicesOf } from "../model-rails/services.js";
import type { Judgement, VerdictCache } from "../model-rails/verdict-cache.js";
import { buildPerToolRails } from "../tool-rails/build-per-tool.js";
import { callRail } from "../tool-rails/call-rail.js";
import { callRunners } from "../tool-rails/call-runners.js";
import { callFlow, ownGuards } from "../tool-rails/call-violation.js";
import { configuredTools } from "../tool-rails/declared-tool.js";
import { KeptFindings } from "../tool-rails/kept-findings.js";
import {
  asCallGuard,
  asResultGuard,
  checkMountedNames,
  type Mountable,
} from "../tool-rails/mounted.js";
import { type PerToolGuard, perToolGuard } from "../tool-rails/per-tool-guard.js";
import { resultContents } from "../tool-rails/result-contents.js";
import { resultRail } from "../tool-rails/result-rail.js";
import { resultFlow, resultSchemaGuard } from "../tool-rails/result-violation.js";
import { toolPolicy } from "../tool-rails/tool-policy.js";
import { Toolsets } from "../tool-rails/toolset.js";
import type { GenerationOptions } from "./answer.js";
import type { Modules } from "./modules.js";
import type { GuardrailsOptions } from "./options.js";

/** Guards that are mounted beside the flows. */
export interface Mounted {
  readonly toolCall: readonly Mountable[];
  readonly toolResult: readonly Mountable[];
}

/** The models and services of a configuration, reached over HTTP. @throws ToolstileError `ERR_CONFIG` for a model without an endpoint, or without its key. */
export function modelsOf(data: RailsConfigData, options: GuardrailsOptions) {
  const ports: HttpPorts = {
    fetch: options.fetch ?? systemPorts.fetch,
    env: options.env ?? systemPorts.env,
    clock: options.clock ?? systemPorts.clock,
  };
  const clients = new Map(data.models.map((model) => [model.type, modelClient(model, ports)]));
  const services = new Map(
    servicesOf(data).map((service) => [service.name, serviceClient(service, ports)]),
  );
  const caches = new Map(
    Object.entries(data.caches).map(([type, most]) => [type, new Latest<Judgement>(most)]),
  );

  function get(type: string): ModelClient {
    const client = clients.get(type);
    if (client !== undefined) return client;
    throw wrongConfig(`The configuration has no model of type ${quoted(type)}. Add it to models.`);
  }

  /** @throws ToolstileError `ERR_CONFIG` for a service that no flow of the configuration asks. */
  function service(name: string): ServiceClient {
    const client = services.get(name);
    if (client !== undefined) return client;
    throw wrongConfig(`The configuration has no service ${quoted(name)}.`);
  }

  /** The verdicts that are kept of a model, or of a service. */
  const verdicts = (type: string): VerdictCache | undefined => caches.get(type);
  return { get, service, verdicts };
}

export type Models = ReturnType<typeof modelsOf>;

/** The parts that all requests of an engine share. */
export function partsOf(
  data: RailsConfigData,
  { modelRails, perTool, flowGuards }: Modules,
  models: Models,
  mounted: Mounted,
  options: GuardrailsOptions,
) {
  const railsOf = (direction: Direction): readonly ModelRail[] =>
    modelRails.buildRails(data[direction].flows, data, direction, options.sensitiveData);
  const { clock, onFault, observers, policyVersion } = options;
  const runner: Omit<ToolRunnerOptions, "guardrails"> = { clock, onFault, policyVersion };
  const callGuards = mounted.toolCall.map(asCallGuard);
  const resultGuards = mounted.toolResult.map(asResultGuard);
  checkMountedNames(`rails.${data.toolCall.name}`, callGuards, [
    callFlow,
    ...Object.values(ownGuards),
  ]);
  checkMountedNames(`rails.${data.toolResult.name}`, resultGuards, [resultFlow, resultSchemaGuard]);
  const ofTools = (family: ToolFamily, parallel: boolean): PerToolGuard =>
    perToolGuard(buildPerToolRails(family, data, perTool), parallel);
  const callsOfTools = ofTools("tool_call", data.toolCall.parallel);
  const policy = data.hooksServer === undefined ? [] : [toolPolicy(data.hooksServer)];
  const calls = callRail(
    callsOfTools,
    callRunners(flowGuards, callsOfTools, callGuards, { ...runner, observers }, policy),
  );
  const kept = new KeptFindings();
  const results = resultRail(
    data.toolResult,
    resultContents(flowGuards, resultGuards, kept, runner),
    ofTools("tool_result", data.toolResult.parallel),
    kept,
    options.receipts,
  );
  const providerNames = {
    toolCall: callGuards.map(({ name }) => name),
    toolResult: resultGuards.map(({ name }) => name),
  };
  const allOn = readToggles(undefined, data, providerNames);
  return {
    data,
    models,
    inputRails: railsOf("input"),
    outputRails: railsOf("output"),
    toolsets: new Toolsets(configuredTools(data)),
    callRail: calls,
    resultRail: results,
    receipts: options.receipts,
    /** Milliseconds since the epoch. */
    now: (): number => (clock ?? systemPorts.clock).now(),
    toggles: (chosen: Pick<GenerationOptions, "rails"> | undefined): Toggles =>
      chosen?.rails === undefined ? allOn : readToggles(chosen, data, providerNames),
    close: async (): Promise<void> => {
      await calls.close();
      await results.close();
    },
  };
}

export type Parts = ReturnType<typeof partsOf>;

/** @throws ToolstileError `ERR_INVALID_OPTION` for what would be off without a word. */
export function checkToolSections(data: RailsConfigData, options: GuardrailsOptions): void {
  const { provenance, name } = data.toolResult;
  if (provenance === "required" && options.receipts === undefined) {
    throw invalid(
      `rails.${name}.provenance is 'required', and needs keys to check receipts. Pass { receipts: receipts({ keys }) } from @toolstile/result-linkage.`,
    );
  }
}
