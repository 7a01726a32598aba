import type { Data } from "./plain-data.js";
import {
  anyText,
  flag,
  items,
  listOf,
  mapping,
  mappingOf,
  number,
  oneOf,
  orElse,
  orNull,
  section,
  text,
  textLike,
  unread,
  whole,
} from "./shape.js";

const flows = orNull(listOf(anyText("the name of a flow")));
const perTool = orNull(mappingOf(listOf(anyText("the name of a flow"))));
const rails = { flows, parallel: orNull(flag) };

const provider = section({ use: text, with: orNull(mapping) });
/** The name alone, or a section. */
const nameOrProvider: typeof provider = (value, path, refuse) =>
  provider(typeof value === "string" ? named(value) : value, path, refuse);
const providers = orNull(listOf(nameOrProvider));

export const inputSchema = section({ ...rails, speculative_generation: orNull(flag) });

export const outputSchema = section({
  ...rails,
  streaming: orNull(
    section({
      enabled: orNull(flag),
      chunk_size: orNull(whole(1)),
      context_size: orNull(whole(0)),
      stream_first: orNull(flag),
    }),
  ),
});

export const toolCallSchema = section({ ...rails, providers, per_tool: perTool });

export const toolResultSchema = section({
  ...rails,
  providers,
  per_tool: perTool,
  schemas: orNull(mapping),
  require_name: orNull(flag),
  require_all: orNull(flag),
  provenance: orNull(oneOf("required", "optional")),
});

export const modelSchema = section({
  type: text,
  engine: text,
  model: orNull(anyText()),
  api_key_env_var: orNull(text),
  parameters: orNull(mapping),
  mode: unread,
  cache: orElse(
    section({ enabled: orElse(flag, false), maxsize: orElse(whole(1), 50_000), stats: unread }),
  ),
  reasoning_config: unread,
});

const message = section({ type: text, content: anyText() });

export const promptSchema = section({
  task: text,
  content: orNull(anyText()),
  messages: orNull(listOf(message)),
  output_parser: orNull(text),
  max_tokens: orNull(whole(1)),
  // A line's end is a usual one.
  stop: orNull(listOf(textLike(/[\s\S]/, "text that is not empty"))),
  max_length: orNull(whole(1)),
  models: orNull(listOf(text)),
  mode: orNull(text),
});

export const tracingSchema = section({
  enabled: orNull(flag),
  enable_content_capture: orNull(flag),
  adapters: unread,
  span_format: unread,
});

export const metricsSchema = section({ enabled: orNull(flag) });

export const listSchema = orNull(items);
export const mappingSchema = mapping;
export const promptingModeSchema = orNull(text);
export const temperatureSchema = orNull(number(0, 2));
export const railsExceptionsSchema = orNull(flag);
export const importPathsSchema = orNull(listOf(text));
export const colangVersionSchema = orNull(
  textLike(/^[\w.]{1,16}$/, "a version", "text: put the version in quotes"),
);

function named(use: string): Data {
  return Object.assign(Object.create(null), { use });
}

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
  "instructions",
  "lowest_temperature",
  "enable_rails_exceptions",
  "hooks_server",
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
  "event_source_uid",
  "imported_paths",
  "knowledge_base",
  "passthrough",
  "raw_llm_call_action",
  "sample_conversation",
  "sensitive_data_detection",
  "streaming",
  "user_messages",
]);

/** Keys under `rails` that this engine runs, and those that only the other one does. */
export const ownRailsKeys = ["input", "output", "config", "tool_result", "tool_call"] as const;
export const otherRailsKeys = ["actions", "dialog", "retrieval"] as const;
