import { didYouMean, nearest, quoted } from "@toolstile/core";
import { z } from "zod";
import { type DataObject, isDataObject } from "./plain-data.js";

// Absent and null are one thing, and every key is there in what a schema returns:
// a missing key read later would be looked up in Object.prototype.
const must = (what: string) => ({
  error: (issue: { readonly input?: unknown }) =>
    issue.input === undefined ? "is missing" : `must be ${what}`,
});
const orNull = <S extends z.ZodType>(schema: S) => schema.nullable().default(null as never);

const flag = z.boolean(must("true or false"));
const text = z.string(must("text")).regex(/\S/, must("text that is not empty"));
const wholeFrom = (least: number) => {
  const expected = must(`a whole number from ${least} on`);
  return z.int(expected).min(least, expected);
};
const json = z.custom<DataObject>(isDataObject, must("a mapping"));
const list = <S extends z.ZodType>(item: S) => z.array(item, must("a list"));
const unread = z.unknown().optional();

/** A mapping with these keys and no others; each unknown key gives one line of the message. */
function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? (issue.keys as string[]).map((key) => noKey(key, known)).join("\n")
        : "must be a mapping",
  });
}

export function noKey(key: string, known: readonly string[]): string {
  const hint = didYouMean(key, known);
  return `has no key ${quoted(key)}.${hint || ` It has: ${known.join(", ")}.`}`;
}

const flows = orNull(list(z.string(must("the name of a flow"))));
const rails = { flows, parallel: orNull(flag) };

const provider = z.preprocess(
  (value) =>
    typeof value === "string" ? Object.assign(Object.create(null), { use: value }) : value,
  section({ use: text, with: orNull(json) }),
);
const providers = orNull(list(provider));

export const inputSchema = section({ ...rails, speculative_generation: orNull(flag) });

export const outputSchema = section({
  ...rails,
  streaming: orNull(
    section({
      enabled: orNull(flag),
      chunk_size: orNull(wholeFrom(1)),
      context_size: orNull(wholeFrom(0)),
      stream_first: orNull(flag),
    }),
  ),
});

export const toolOutputSchema = section({ ...rails, providers });

export const toolInputSchema = section({
  ...rails,
  providers,
  schemas: orNull(json),
  require_name: orNull(flag),
  require_all: orNull(flag),
  provenance: orNull(z.enum(["required", "optional"], must("'required' or 'optional'"))),
});

export const contentSafetySchema = section({
  reasoning: orNull(section({ enabled: orNull(flag) })),
  multilingual: unread,
});

export const jailbreakSchema = section({
  nim_base_url: orNull(text),
  nim_server_endpoint: orNull(z.string(must("text"))),
  api_key: orNull(text),
  api_key_env_var: orNull(text),
  nim_url: orNull(z.string(must("text")).regex(/^[\w.-]+$/, must("the name of a host"))),
  nim_port: orNull(wholeFrom(1).max(65_535, must("a port"))),
  server_endpoint: unread,
  length_per_perplexity_threshold: unread,
  prefix_suffix_perplexity_threshold: unread,
  embedding: unread,
});

export const modelSchema = section({
  type: text,
  engine: text,
  model: orNull(z.string(must("text"))),
  api_key_env_var: orNull(text),
  parameters: orNull(json),
  mode: unread,
  cache: unread,
  reasoning_config: unread,
});

const message = section({ type: text, content: z.string(must("text")) });

export const promptSchema = section({
  task: text,
  content: orNull(z.string(must("text"))),
  messages: orNull(list(message)),
  output_parser: orNull(text),
  max_tokens: orNull(wholeFrom(1)),
  stop: orNull(list(text)),
  max_length: orNull(wholeFrom(1)),
  models: orNull(list(text)),
  mode: orNull(text),
});

export const tracingSchema = section({
  enabled: orNull(flag),
  enable_content_capture: orNull(flag),
  adapters: unread,
  span_format: unread,
});

export const metricsSchema = section({ enabled: orNull(flag) });

export const listSchema = orNull(list(z.unknown()));
export const mappingSchema = json;
export const promptingModeSchema = orNull(text);
export const importPathsSchema = orNull(list(text));
export const colangVersionSchema = orNull(
  z.string(must("text: put the version in quotes")).regex(/^[\w.]{1,16}$/, must("a version")),
);

/** Keys at the top level that this engine reads. */
export const readTopKeys = [
  "models",
  "rails",
  "prompts",
  "prompting_mode",
  "tracing",
  "metrics",
  "colang_version",
  "import_paths",
  "flows",
] as const;

/** Keys of NeMo at the top level that say nothing to this engine. */
export const ignoredTopKeys: ReadonlySet<string> = new Set([
  "actions_server_url",
  "bot_messages",
  "config_path",
  "core",
  "custom_data",
  "docs",
  "embedding_search_provider",
  "enable_multi_step_generation",
  "enable_rails_exceptions",
  "event_source_uid",
  "imported_paths",
  "instructions",
  "knowledge_base",
  "lowest_temperature",
  "passthrough",
  "raw_llm_call_action",
  "sample_conversation",
  "sensitive_data_detection",
  "streaming",
  "user_messages",
]);

/** Keys under `rails` that this engine runs, and those that only the other one does. */
export const ownRailsKeys = ["input", "output", "config", "tool_input", "tool_output"] as const;
export const otherRailsKeys = ["actions", "dialog", "retrieval"] as const;

/** Of `rails.config` only these are read; there is a key for every service that NeMo knows. */
const ownRailKeys = ["content_safety", "jailbreak_detection"] as const;

/** A key of `rails.config` that is so near to one of ours that it must be a slip. */
export function misspeltRail(key: string): string | undefined {
  return (ownRailKeys as readonly string[]).includes(key) ? undefined : nearest(key, ownRailKeys);
}
