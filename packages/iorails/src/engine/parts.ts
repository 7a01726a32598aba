import { quoted, type ToolRunnerOptions, ToolstileError } from "@toolstile/core";
import type { Receipts } from "@toolstile/result-linkage";
import type { RailsConfigData } from "../config/model.js";
import { readToggles, type Toggles } from "../config/toggles.js";
import { type HttpPorts, ModelClient, ServiceClient, systemPorts } from "../http/model-client.js";
import { buildInputRails, buildOutputRails } from "../model-rails/build.js";
import type { ModelRail } from "../model-rails/rail.js";
import { own } from "../own-property.js";
import { CallRail } from "../tool-rails/call-rail.js";
import { callFlow } from "../tool-rails/call-violation.js";
import {
  asCallGuard,
  asResultGuard,
  checkMountedNames,
  type Mountable,
} from "../tool-rails/mounted.js";
import { ResultRail } from "../tool-rails/result-rail.js";
import { resultFlow } from "../tool-rails/result-violation.js";
import { Toolsets } from "../tool-rails/toolset.js";
import type { GenerationOptions } from "./answer.js";
import type { GuardrailsOptions } from "./options.js";

/** Guards that are mounted beside the flows. */
export interface Mounted {
  readonly toolOutput: readonly Mountable[];
  readonly toolInput: readonly Mountable[];
}

/** The models and services of a configuration, reached over HTTP. */
export class Models {
  readonly #clients: ReadonlyMap<string, ModelClient>;
  readonly jailbreak: ServiceClient | undefined;

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
    this.jailbreak = jailbreakService(data, ports);
  }

  get(type: string): ModelClient {
    const client = this.#clients.get(type);
    if (client !== undefined) return client;
    throw new ToolstileError(
      "ERR_CONFIG",
      `The configuration has no model of type ${quoted(type)}. Add it to models.`,
    );
  }

  find(type: string): ModelClient | undefined {
    return this.#clients.get(type);
  }
}

/** What all requests of an engine share. */
export class Parts {
  readonly data: RailsConfigData;
  readonly models: Models;
  readonly inputRails: readonly ModelRail[];
  readonly outputRails: readonly ModelRail[];
  readonly toolsets: Toolsets;
  readonly callRail: CallRail;
  readonly resultRail: ResultRail;
  readonly receipts: Receipts | undefined;
  readonly #allOn: Toggles;
  readonly #providerNames: { toolOutput: readonly string[]; toolInput: readonly string[] };

  constructor(data: RailsConfigData, models: Models, mounted: Mounted, options: GuardrailsOptions) {
    this.data = data;
    this.models = models;
    this.receipts = options.receipts;
    this.inputRails = buildInputRails(data.input.flows, data);
    this.outputRails = buildOutputRails(data.output.flows, data);
    this.toolsets = new Toolsets(own(models.find("main")?.bodyDefaults, "tools"));
    const { clock, onFault, observers, policyVersion } = options;
    const runner: Omit<ToolRunnerOptions, "guardrails"> = { clock, onFault, policyVersion };
    const callGuards = mounted.toolOutput.map(asCallGuard);
    const resultGuards = mounted.toolInput.map(asResultGuard);
    checkMountedNames("rails.tool_output", callGuards, [callFlow]);
    checkMountedNames("rails.tool_input", resultGuards, [resultFlow]);
    this.callRail = new CallRail(callGuards, { ...runner, observers });
    this.resultRail = new ResultRail(data.toolInput, resultGuards, options.receipts, runner);
    this.#providerNames = {
      toolOutput: callGuards.map(({ name }) => name),
      toolInput: resultGuards.map(({ name }) => name),
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

/** @throws ToolstileError `ERR_CONFIG` for what would be off without a word. */
export function checkToolSections(data: RailsConfigData, options: GuardrailsOptions): void {
  const { flows, schemas, provenance } = data.toolInput;
  const runs = flows.some(({ name }) => name === resultFlow);
  if (!runs && (Object.keys(schemas).length > 0 || provenance === "required")) {
    throw new ToolstileError(
      "ERR_CONFIG",
      `rails.tool_input has schemas or provenance, which the flow '${resultFlow}' checks. Add it to rails.tool_input.flows.`,
    );
  }
  if (provenance === "required" && options.receipts === undefined) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "rails.tool_input.provenance is 'required', and there are no keys to check it with. Pass { receipts: receipts({ keys }) } from @toolstile/result-linkage.",
    );
  }
}

function jailbreakService(data: RailsConfigData, ports: HttpPorts): ServiceClient | undefined {
  const { nimBaseUrl, nimServerEndpoint, apiKey, apiKeyEnvVar } = data.jailbreakDetection;
  if (nimBaseUrl === undefined) return undefined;
  const key = apiKeyEnvVar === undefined ? apiKey : ports.env[apiKeyEnvVar];
  if (apiKeyEnvVar !== undefined && (key === undefined || key === "")) {
    throw new ToolstileError(
      "ERR_CONFIG",
      `The environment variable ${quoted(apiKeyEnvVar)}, which rails.config.jailbreak_detection names for its key, is not set.`,
    );
  }
  const url = `${nimBaseUrl.replace(/\/+$/, "")}/${nimServerEndpoint.replace(/^\/+/, "")}`;
  return new ServiceClient("jailbreak_detection", url, key, ports);
}
