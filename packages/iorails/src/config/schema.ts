import type { JsonObject } from "@toolstile/core";
import { isJsonObject } from "@toolstile/core/provider";
import { emptyObject, ordinary } from "./plain-data.js";
import {
  anyText,
  flag,
  jsonObject,
  listOf,
  mappingOf,
  number,
  oneOf,
  orElse,
  orNull,
  type Shape,
  section,
  text,
  textLike,
  unread,
  whole,
} from "./shape.js";

const flows = orNull(listOf(anyText("the name of a flow")));
const perTool = orNull(mappingOf(listOf(anyText("the name of a flow"))));
const off = orElse(flag, false);
const rails = { flows, parallel: off };

const provider = section({ use: text, with: orNull(jsonObject) });
/** A guard that is mounted by its name. */
export interface Provider {
  readonly use: string;
  readonly with: JsonObject | null;
}
/** The name alone, or a section. */
const nameOrProvider: Shape<Provider> = (value, path, report) =>
  provider(
    typeof value === "string" ? Object.assign(emptyObject(), { use: value }) : value,
    path,
    report,
  );
const providers = orElse(listOf(nameOrProvider), []);

const jsonSchema: Shape<JsonObject | boolean> = (value, path, report) => {
  if (typeof value === "boolean") return value;
  if (isJsonObject(value)) return ordinary(value);
  report(path, "must be a JSON Schema: a mapping, true or false");
  return undefined;
};

/** The sections of `rails` that this engine reads beside `config`, with every default. */
export const railsShapes = {
  input: orElse(section({ ...rails, speculative_generation: off })),
  output: orElse(
    section({
      ...rails,
      streaming: orElse(
        section({
          enabled: off,
          chunk_size: orElse(whole(1), 200),
          context_size: orElse(whole(0), 50),
          stream_first: orElse(flag, true),
        }),
      ),
    }),
  ),
  tool_call: orElse(section({ ...rails, providers, per_tool: perTool })),
  tool_result: orElse(
    section({
      ...rails,
      providers,
      per_tool: perTool,
      schemas: orElse(mappingOf(jsonSchema)),
      require_name: orNull(flag),
      require_all: off,
      provenance: orElse(oneOf("required", "optional"), "optional"),
    }),
  ),
};

export const modelSchema = section({
  type: text,
  engine: text,
  model: orNull(anyText()),
  api_key_env_var: orNull(text),
  parameters: orElse(jsonObject),
  mode: unread,
  cache: orElse(section({ enabled: off, maxsize: orElse(whole(1), 50_000), stats: unread })),
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

/** Keys at the top level that stand for themselves, with every default. */
export const topShapes = {
  tracing: orElse(
    section({ enabled: off, enable_content_capture: off, adapters: unread, span_format: unread }),
  ),
  metrics: orElse(section({ enabled: off })),
  colang_version: orElse(
    textLike(/^[\w.]{1,16}$/, "a version", "text: put the version in quotes"),
    "1.0",
  ),
  prompting_mode: orElse(text, "standard"),
  lowest_temperature: orElse(number(0, 2), 0.001),
  enable_rails_exceptions: off,
  import_paths: orElse(listOf(text), []),
};

/** Keys at the top level that this engine reads. */
export const readTopKeys: readonly string[] = [
  ...Object.keys(topShapes),
  "models",
  "rails",
  "prompts",
  "flows",
  "instructions",
  "hooks_server",
];

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
