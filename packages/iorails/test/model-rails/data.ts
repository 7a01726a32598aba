import type { ChatMessage, Completion } from "../../src/chat/message.js";
import { readFlow } from "../../src/config/flows.js";
import type { ModelConfig, PromptConfig, RailsConfigData } from "../../src/config/model.js";
import { emptyObject } from "../../src/config/plain-data.js";
import { Problems } from "../../src/config/problems.js";
import { type ConfigSections, configSections } from "../../src/config/sections/table.js";
import { membersOf } from "../../src/config/shape.js";
import { objectSource } from "../../src/config/sources.js";
import type { RailPorts } from "../../src/model-rails/rail.js";

export const flow = readFlow;

export function model(type: string): ModelConfig {
  return { type, engine: "nim", model: `m-${type}`, apiKeyEnvVar: undefined, parameters: {} };
}

export function prompt(
  task: string,
  content: string | PromptConfig["messages"],
  rest: Partial<PromptConfig> = {},
): PromptConfig {
  return {
    task,
    content: typeof content === "string" ? content : undefined,
    messages: typeof content === "string" ? undefined : content,
    outputParser: undefined,
    maxTokens: undefined,
    stop: undefined,
    maxLength: 16_000,
    models: undefined,
    mode: "standard",
    ...rest,
  };
}

/** The sections of `rails.config` as they are read from these, with all defaults. */
export function sections(written: Readonly<Record<string, unknown>> = {}): ConfigSections {
  const wrong = (path: unknown, message: string): never => {
    throw new Error(`${JSON.stringify(path)} ${message}`);
  };
  const given = objectSource("<test>", written, new Problems())?.data ?? emptyObject();
  return membersOf(configSections, given, [], wrong, emptyObject());
}

/** A configuration with these prompts, and a model of every type that the tests name. */
export function config(
  prompts: readonly PromptConfig[],
  rest: Partial<RailsConfigData> = {},
): RailsConfigData {
  const section = { flows: [], parallel: false };
  return {
    models: [model("main"), model("guard")],
    input: { ...section, speculativeGeneration: false },
    output: {
      ...section,
      streaming: { enabled: false, chunkSize: 200, contextSize: 50, streamFirst: true },
    },
    toolCall: { ...section, providers: [] },
    toolResult: {
      ...section,
      providers: [],
      schemas: {},
      requireName: true,
      requireAll: false,
      provenance: "optional",
    },
    config: sections({ jailbreak_detection: { nim_base_url: "http://127.0.0.1:1" } }),
    configKeys: [],
    caches: {},
    prompts,
    tracing: { enabled: false, enableContentCapture: false },
    metrics: { enabled: false },
    promptingMode: "standard",
    generalInstructions: undefined,
    lowestTemperature: 0.001,
    railsExceptions: false,
    colangVersion: "1.0",
    railsKeys: [],
    colangFiles: [],
    importPaths: [],
    ...rest,
  } as RailsConfigData;
}

export const user = (content: unknown): ChatMessage => ({ role: "user", content });

export const completion = (content: string, rest: Partial<Completion> = {}): Completion => ({
  content,
  calls: [],
  ...rest,
});

export interface Asked {
  readonly model: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Ports that answer in order what a test wrote down, and keep what was asked. */
export function scripted(
  answers: readonly (string | Completion | Error)[],
  classification?: unknown,
): RailPorts & { readonly asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    ask: async (type, body) => {
      const answer = answers[asked.push({ model: type, body }) - 1];
      if (answer === undefined) throw new Error("asked too often");
      if (answer instanceof Error) throw answer;
      return typeof answer === "string" ? completion(answer) : answer;
    },
    classify: async (service, body) => {
      asked.push({ model: service, body: body as Asked["body"] });
      if (classification instanceof Error) throw classification;
      return classification;
    },
  };
}
