import type { JsonObject } from "@toolstile/core";

/** One entry of `models`. */
export interface ModelConfig {
  /** What the model is for, and the name by which flows mean it: "main", "content_safety", … */
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
  /** From `$model=`. */
  readonly model: string | undefined;
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

export interface ToolOutputSection extends RailsSection {
  readonly providers: readonly MountedProvider[];
}

export interface ToolInputSection extends RailsSection {
  readonly providers: readonly MountedProvider[];
  /** Schemas of results by tool name. */
  readonly schemas: Readonly<Record<string, JsonObject | boolean>>;
  /** Block a result without a name where the called tool's is known. Default true. */
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

export interface JailbreakConfig {
  readonly nimBaseUrl: string | undefined;
  readonly nimServerEndpoint: string;
  readonly apiKey: string | undefined;
  readonly apiKeyEnvVar: string | undefined;
}

/** What a configuration says, with every default filled in. */
export interface RailsConfigData {
  readonly models: readonly ModelConfig[];
  readonly input: InputSection;
  readonly output: OutputSection;
  readonly toolOutput: ToolOutputSection;
  readonly toolInput: ToolInputSection;
  readonly contentSafetyReasoning: boolean;
  readonly jailbreakDetection: JailbreakConfig;
  /** Those of tasks that this engine asks; the other engine's are left out. */
  readonly prompts: readonly PromptConfig[];
  /** Which prompts are meant where several are there for a task. Default "standard". */
  readonly promptingMode: string;
  readonly tracing: { readonly enabled: boolean; readonly enableContentCapture: boolean };
  readonly metrics: { readonly enabled: boolean };
  readonly colangVersion: string;
  /** The keys that are there under `rails`, also where they are empty. */
  readonly railsKeys: readonly string[];
  /** The Colang files, which this engine does not read. */
  readonly colangFiles: readonly string[];
  /** More configuration elsewhere, which this engine does not follow. */
  readonly importPaths: readonly string[];
}
