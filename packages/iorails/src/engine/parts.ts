import type { ToolRunnerOptions } from "@toolstile/core";
import { quoted } from "@toolstile/core/provider";
import type { Receipts } from "@toolstile/result-linkage";
import type { ToolFamily } from "../config/flows.js";
import type { RailsConfigData } from "../config/model.js";
import { readToggles, type Toggles } from "../config/toggles.js";
import { invalid, wrongConfig } from "../errors.js";
import { type HttpPorts, ModelClient, ServiceClient, systemPorts } from "../http/model-client.js";
import { Latest } from "../latest.js";
import type { Direction, ModelRail } from "../model-rails/rail.js";
import { servicesOf } from "../model-rails/services.js";
import type { Judgement, VerdictCache } from "../model-rails/verdict-cache.js";
import { buildPerToolRails } from "../tool-rails/build-per-tool.js";
import { CallRail } from "../tool-rails/call-rail.js";
import { CallRunners } from "../tool-rails/call-runners.js";
import { callFlow, ownGuards } from "../tool-rails/call-violation.js";
import { configuredTools } from "../tool-rails/declared-tool.js";
import { KeptFindings } from "../tool-rails/kept-findings.js";
import {
  asCallGuard,
  asResultGuard,
  checkMountedNames,
  type Mountable,
} from "../tool-rails/mounted.js";
import { PerToolGuard } from "../tool-rails/per-tool-guard.js";
import { ResultContents } from "../tool-rails/result-contents.js";
import { ResultRail } from "../tool-rails/result-rail.js";
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

/** The models and services of a configuration, reached over HTTP. */
export class Models {
  readonly #clients: ReadonlyMap<string, ModelClient>;
  readonly #services: ReadonlyMap<string, ServiceClient>;
  readonly #caches: ReadonlyMap<string, VerdictCache>;

  /** @throws ToolstileError `ERR_CONFIG` for a model without an endpoint, or without its key. */
  constructor(data: RailsConfigData, options: GuardrailsOptions) {
    const ports: HttpPorts = {
      fetch: options.fetch ?? systemPorts.fetch,
      env: options.env ?? systemPorts.env,
      clock: options.clock ?? systemPorts.clock,
    };
    this.#clients = new Map(
      data.models.map((model) => [model.type, new ModelClient(model, ports)]),
    );
    this.#services = new Map(
      servicesOf(data).map((service) => [service.name, new ServiceClient(service, ports)]),
    );
    this.#caches = new Map(
      Object.entries(data.caches).map(([type, most]) => [type, new Latest<Judgement>(most)]),
    );
  }

  get(type: string): ModelClient {
    const client = this.#clients.get(type);
    if (client !== undefined) return client;
    throw wrongConfig(`The configuration has no model of type ${quoted(type)}. Add it to models.`);
  }

  /** @throws ToolstileError `ERR_CONFIG` for a service that no flow of the configuration asks. */
  service(name: string): ServiceClient {
    const client = this.#services.get(name);
    if (client !== undefined) return client;
    throw wrongConfig(`The configuration has no service ${quoted(name)}.`);
  }

  /** The verdicts that are kept of a model, or of a service. */
  verdicts(type: string): VerdictCache | undefined {
    return this.#caches.get(type);
  }
}

/** The parts that all requests of an engine share. */
export class Parts {
  readonly data: RailsConfigData;
  readonly models: Models;
  readonly inputRails: readonly ModelRail[];
  readonly outputRails: readonly ModelRail[];
  readonly toolsets: Toolsets;
  readonly callRail: CallRail;
  readonly resultRail: ResultRail;
  readonly receipts: Receipts | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly #allOn: Toggles;
  readonly #providerNames: { toolCall: readonly string[]; toolResult: readonly string[] };

  constructor(
    data: RailsConfigData,
    { modelRails, perTool, flowGuards }: Modules,
    models: Models,
    mounted: Mounted,
    options: GuardrailsOptions,
  ) {
    this.data = data;
    this.models = models;
    this.receipts = options.receipts;
    const railsOf = (direction: Direction): readonly ModelRail[] =>
      modelRails.buildRails(data[direction].flows, data, direction, options.sensitiveData);
    this.inputRails = railsOf("input");
    this.outputRails = railsOf("output");
    this.toolsets = new Toolsets(configuredTools(data));
    const { clock, onFault, observers, policyVersion } = options;
    this.now = () => (clock ?? systemPorts.clock).now();
    const runner: Omit<ToolRunnerOptions, "guardrails"> = { clock, onFault, policyVersion };
    const callGuards = mounted.toolCall.map(asCallGuard);
    const resultGuards = mounted.toolResult.map(asResultGuard);
    checkMountedNames(`rails.${data.toolCall.name}`, callGuards, [
      callFlow,
      ...Object.values(ownGuards),
    ]);
    checkMountedNames(`rails.${data.toolResult.name}`, resultGuards, [
      resultFlow,
      resultSchemaGuard,
    ]);
    const ofTools = (family: ToolFamily, parallel: boolean): PerToolGuard =>
      new PerToolGuard(buildPerToolRails(family, data, perTool), parallel);
    const callsOfTools = ofTools("tool_call", data.toolCall.parallel);
    const policy = data.hooksServer === undefined ? [] : [toolPolicy(data.hooksServer)];
    this.callRail = new CallRail(
      callsOfTools,
      new CallRunners(flowGuards, callsOfTools, callGuards, { ...runner, observers }, policy),
    );
    const kept = new KeptFindings();
    this.resultRail = new ResultRail(
      data.toolResult,
      new ResultContents(flowGuards, resultGuards, kept, runner),
      ofTools("tool_result", data.toolResult.parallel),
      kept,
      options.receipts,
    );
    this.#providerNames = {
      toolCall: callGuards.map(({ name }) => name),
      toolResult: resultGuards.map(({ name }) => name),
    };
    this.#allOn = readToggles(undefined, data, this.#providerNames);
  }

  toggles(options: Pick<GenerationOptions, "rails"> | undefined): Toggles {
    if (options?.rails === undefined) return this.#allOn;
    return readToggles(options, this.data, this.#providerNames);
  }

  async close(): Promise<void> {
    await this.callRail.close();
    await this.resultRail.close();
  }
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for what would be off without a word. */
export function checkToolSections(data: RailsConfigData, options: GuardrailsOptions): void {
  const { provenance, name } = data.toolResult;
  if (provenance === "required" && options.receipts === undefined) {
    throw invalid(
      `rails.${name}.provenance is 'required', and needs keys to check receipts. Pass { receipts: receipts({ keys }) } from @toolstile/result-linkage.`,
    );
  }
}
