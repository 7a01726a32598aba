import { ToolstileError } from "@toolstile/core";
import { quoted } from "@toolstile/core/provider";
import { flowLists } from "../config/flow-lists.js";
import { knownFlows, type ToolFamily } from "../config/flows.js";
import type { EngineChecks, LoadedConfig } from "../config/load.js";
import type { Flow, RailsConfigData } from "../config/model.js";
import { hasPatterns } from "../config/sections/regex-detection.js";
import type { SensitiveDataPort } from "../model-rails/sensitive-data.js";
import type { TelemetryOptions } from "../telemetry/telemetry.js";
import { type Recorder, unrecorded } from "../telemetry/unrecorded.js";
import type { PerToolMakers } from "../tool-rails/build-per-tool.js";
import type { FlowGuards } from "../tool-rails/flow-guards.js";

type ModelRails = Pick<typeof import("../model-rails/build.js"), "buildRails">;

/**
 * The modules that need a large package. A configuration that does not use one
 * does not load it: its place is taken by what does nothing.
 */
export interface Modules {
  /** Rails that a model backs. Their prompts are Jinja templates. */
  readonly modelRails: ModelRails;
  /** Rails of single tools: regular expressions, CEL, prompts. */
  readonly perTool: PerToolMakers;
  /** The guards of the tool flows, which compile JSON Schemas. Loaded with the first request that has tools. */
  readonly flowGuards: () => Promise<FlowGuards>;
  /** Makes spans and metrics, through OpenTelemetry's API. */
  readonly recorder: (options: TelemetryOptions) => Recorder;
  /** The module of `@toolstile/redact`, for flows that look for sensitive data. Absent where the package cannot be loaded. */
  readonly finder: SensitiveDataPort | undefined;
}

const noModelRails: ModelRails = { buildRails: () => [] };

/** Finds the mistakes that need modules to be found: patterns and expressions that cannot be run, prompts and parsers that cannot be read. */
export const engineChecks: EngineChecks = {
  flowFault: async ({ family, tool }, flow, data) => {
    if (tool !== undefined) {
      if (knownFlows.get(flow.name)?.perTool !== "safety") return undefined;
      const { safetyCheck } = await import("../tool-rails/safety-check.js");
      return faultOf(() => safetyCheck(flow, family as ToolFamily, tool, data));
    }
    if (family !== "input" && family !== "output") return undefined;
    if (flow.name === languageFlow && !(await canTellLanguages())) {
      return `The flow ${quoted(flow.text)} needs the package eld, which cannot be loaded. Install it: npm install eld`;
    }
    const { buildRails } = await railsModule([flow]);
    return faultOf(() => buildRails([flow], data, family));
  },
  checkRules: async (data, report) => {
    const { cel, regex_detection } = data.config;
    if (hasPatterns(regex_detection)) {
      const { checkPatterns } = await import("../tool-rails/regex-check.js");
      checkPatterns(regex_detection, report);
    }
    if (Object.keys(cel.tool_call).length + Object.keys(cel.tool_result).length > 0) {
      const { checkExpressions } = await import("../tool-rails/cel-check.js");
      checkExpressions(data, report);
    }
  },
};

const languageFlow = "language detector check input";

/** Without its package, the flow would block each request. */
async function canTellLanguages(): Promise<boolean> {
  const { loadLanguageDetector } = await import("../detection/languages.js");
  return loadLanguageDetector().then(
    () => true,
    () => false,
  );
}

/** @throws what `make` throws, but for a fault of the configuration, which it gives as text. */
function faultOf(make: () => unknown): string | undefined {
  try {
    make();
    return undefined;
  } catch (error) {
    if (ToolstileError.isInstance(error) && error.code === "ERR_CONFIG") return error.message;
    throw error;
  }
}

/** The modules of the rails of single tools. */
const makerOf = {
  regex: async () => (await import("../tool-rails/regex-check.js")).regexCheck,
  cel: async () => (await import("../tool-rails/cel-check.js")).celCheck,
  safety: async () => (await import("../tool-rails/safety-check.js")).safetyCheck,
} as const;

/** The makers of the rails of single tools, as far as a configuration has such rails. */
async function perToolMakers(data: RailsConfigData): Promise<PerToolMakers> {
  const flows = flowLists(data).flatMap((list) => (list.tool === undefined ? [] : list.flows));
  const checks = new Set(flows.flatMap(({ name }) => knownFlows.get(name)?.perTool ?? []));
  const loading = Array.from(checks, async (check) => [check, await makerOf[check]()] as const);
  return Object.fromEntries(await Promise.all(loading));
}

/** The module that makes the rails of these flows. Only prompts need Jinja. */
async function railsModule(flows: readonly Flow[]): Promise<ModelRails> {
  if (flows.length === 0) return noModelRails;
  const hasPrompts = flows.some(({ name }) => knownFlows.get(name)?.task !== undefined);
  return hasPrompts ? import("../model-rails/build.js") : import("../model-rails/build-plain.js");
}

/** True for `detect sensitive data …` and `mask sensitive data …`. */
export function findsSensitiveData({ name }: Flow): boolean {
  return /^(?:detect|mask) sensitive data on /.test(name);
}

/** The host may pass a finder of its own, so that a missing package is no error yet. */
function loadFinder(): Promise<SensitiveDataPort | undefined> {
  return import("@toolstile/redact").then(
    ({ sensitiveData }) => sensitiveData(),
    () => undefined,
  );
}

/** Loads the modules that a configuration of this engine uses. */
export async function loadModules({ data, unsupported }: LoadedConfig): Promise<Modules> {
  const { input, output, tracing, metrics } = data;
  const runs = unsupported === undefined;
  const records = runs && (tracing.enabled || metrics.enabled || hostHasOpenTelemetry());
  const flows = [...input.flows, ...output.flows];
  const [modelRails, perTool, telemetry, finder] = await Promise.all([
    runs ? railsModule(flows) : noModelRails,
    runs ? perToolMakers(data) : {},
    records ? import("../telemetry/telemetry.js") : undefined,
    runs && flows.some(findsSensitiveData) ? loadFinder() : undefined,
  ]);
  const flowGuards = () => import("../tool-rails/flow-guards.js");
  const recorder = telemetry?.recorder ?? (() => unrecorded);
  return { modelRails, perTool, flowGuards, recorder, finder };
}

/**
 * True if the host has registered a part of OpenTelemetry: the id of a request
 * is then that of the active trace, also where nothing is recorded.
 */
function hostHasOpenTelemetry(): boolean {
  return Object.hasOwn(globalThis, Symbol.for("opentelemetry.js.api.1"));
}
