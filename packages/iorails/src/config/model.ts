import type { JsonObject } from "@toolstile/core";
import type { HooksServerSection } from "./hooks-server.js";
import type { ConfigSections } from "./sections/table.js";

/** One entry of `models`. */
export interface ModelConfig {
  /** The purpose of the model, and the name that flows use for it: "main", "content_safety", … */
  readonly type: string;
  /** "openai", "nim", or any name together with `parameters.base_url`. */
  readonly engine: string;
  readonly model: string;
  readonly apiKeyEnvVar: string | undefined;
  /** As written: transport settings and defaults of the request's body. */
  readonly parameters: JsonObject;
}

/** A flow as a configuration names it. */
export interface Flow {
  /** As written. */
  readonly text: string;
  /** Trimmed, without `$…` and `(…)`. */
  readonly name: string;
  /** By name, from `$name=value`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Absent if its text is a name with parameters and nothing else. */
  readonly fault: string | undefined;
}

/** A guardrail provider that a configuration mounts by the name of its package. */
export interface MountedProvider {
  /** The package name, or the path of a local file. */
  readonly use: string;
  /** Its options, checked by its own schema. */
  readonly with: JsonObject | undefined;
}

export interface RailsSection {
  readonly flows: readonly Flow[];
  readonly parallel: boolean;
}

export interface InputSection extends RailsSection {
  readonly speculativeGeneration: boolean;
}

export interface OutputSection extends RailsSection {
  readonly streaming: {
    readonly enabled: boolean;
    /** Provider deltas, not tokens. */
    readonly chunkSize: number;
    readonly contextSize: number;
    readonly streamFirst: boolean;
  };
}

export interface ToolCallSection extends RailsSection {
  /** The name that it was written under: "tool_call", or "tool_output" as in older releases. */
  readonly name: string;
  /** The flows that judge the calls of one tool, by its exact name. */
  readonly perTool: Readonly<Record<string, readonly Flow[]>>;
  readonly providers: readonly MountedProvider[];
}

export interface ToolResultSection extends RailsSection {
  /** The name that it was written under: "tool_result", or "tool_input" as in older releases. */
  readonly name: string;
  /** The flows that judge the results of one tool, by its exact name. */
  readonly perTool: Readonly<Record<string, readonly Flow[]>>;
  readonly providers: readonly MountedProvider[];
  /** Schemas of results by tool name. */
  readonly schemas: Readonly<Record<string, JsonObject | boolean>>;
  /** Block a result without a name where the called tool's is known. Default true under the older name of the section, else false. */
  readonly requireName: boolean;
  /** Block a turn with results that leaves some of its calls unanswered. Default false. */
  readonly requireAll: boolean;
  readonly provenance: "required" | "optional";
}

export interface PromptConfig {
  readonly task: string;
  readonly content: string | undefined;
  readonly messages: readonly { readonly type: string; readonly content: string }[] | undefined;
  readonly outputParser: string | undefined;
  readonly maxTokens: number | undefined;
  readonly stop: readonly string[] | undefined;
  /** Characters. Default 16,000. */
  readonly maxLength: number;
  readonly models: readonly string[] | undefined;
  readonly mode: string;
}

/** The content of a configuration, with every default filled in. */
export interface RailsConfigData {
  readonly models: readonly ModelConfig[];
  readonly input: InputSection;
  readonly output: OutputSection;
  readonly toolCall: ToolCallSection;
  readonly toolResult: ToolResultSection;
  /** The policy of `hooks()`. With one, the configuration is for hooks alone. */
  readonly hooksServer: HooksServerSection | undefined;
  /** The sections of `rails.config`, under their own keys. */
  readonly config: ConfigSections;
  /** The names as they are written: "regex_detection" and "regex_detection.input". */
  readonly configKeys: readonly string[];
  /** The verdicts of a model, or of the service of this name, that are kept. */
  readonly caches: Readonly<Record<string, number>>;
  /** Those of tasks that this engine asks; the other engine's are left out. */
  readonly prompts: readonly PromptConfig[];
  /** The text of `instructions` of type `general`: the variable `general_instructions` of prompts. */
  readonly generalInstructions: string | undefined;
  /** The temperature of self checks. Default 0.001. */
  readonly lowestTemperature: number;
  /** Selects one of several prompts of a task. Default "standard". */
  readonly promptingMode: string;
  readonly tracing: { readonly enabled: boolean; readonly enableContentCapture: boolean };
  readonly metrics: { readonly enabled: boolean };
  /** True if a result says of a block what NeMo's exceptions say. */
  readonly railsExceptions: boolean;
  readonly colangVersion: string;
  /** The keys that are there under `rails`, also where they are empty. */
  readonly railsKeys: readonly string[];
  /** The Colang files, which this engine does not read. */
  readonly colangFiles: readonly string[];
  /** More configuration elsewhere, which this engine does not follow. */
  readonly importPaths: readonly string[];
}
