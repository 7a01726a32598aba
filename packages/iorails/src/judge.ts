import {
  type Allow,
  allow,
  type Deny,
  deny,
  type GuardrailProvider,
  type JsonObject,
  type ResultGuardrail,
  type ToolContent,
  type ToolResult,
} from "@toolstile/core";
import {
  func,
  type GuardrailPlugin,
  nonEmptyText,
  type OptionTable,
  object,
  oneOf,
  optionError,
  readOptions,
  required,
  timeout,
  whole,
} from "@toolstile/core/provider";
import type { ModelConfig } from "./config/model.js";
import { outputParsers as parserNames } from "./config/prompts.js";
import { modelClient, systemPorts } from "./http/model-client.js";
import { Latest } from "./latest.js";
import { outputParsers } from "./model-rails/parsers.js";
import type { RailPorts, RailVerdict } from "./model-rails/rail.js";
import { type ToolJudge, toolJudge } from "./model-rails/tool-judge.js";
import type { Judgement } from "./model-rails/verdict-cache.js";

/** The options of `judge()` that data can say. */
export interface JudgeData {
  /** Default "judge". */
  readonly name?: string | undefined;
  /** The address of a server of Chat Completions. `/v1/chat/completions` is added; a `/v1` at the end is not repeated. */
  readonly baseUrl: string;
  /** The model's name in requests. */
  readonly model: string;
  /** The environment variable that holds the key; if it is not set, that is an error. Default: no key. */
  readonly apiKeyEnvVar?: string | undefined;
  /** Sent in every request, in place of the judge's own: `temperature`, `max_tokens` and so on. */
  readonly parameters?: JsonObject | undefined;
  /** The question about a call, a Jinja template: it may read `tool_name` and `tool_call_arguments` (JSON). Default: calls are not judged. */
  readonly call?: string | undefined;
  /** The question about a result, which may read `tool_result_content` too. Default: results are not judged. */
  readonly result?: string | undefined;
  /** The parser that reads the answer, by the names of `output_parser` in a NeMo configuration. Default "is_content_safe": `No` and `safe` allow, `Yes` and `unsafe` block. */
  readonly parser?: (typeof parserNames)[number] | undefined;
  /** Verdicts that are kept, by the digest of what was asked; 0 for none. Default 1,000. */
  readonly cacheSize?: number | undefined;
  /** The longest question in characters; a longer one is denied unasked. Default 16,000. */
  readonly maxLength?: number | undefined;
  /** Milliseconds for one verdict, with all attempts. Default 30,000. */
  readonly timeoutMs?: number | undefined;
}

/** The options of `judge()`. */
export interface JudgeOptions extends JudgeData {
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** In place of `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

const options = {
  name: nonEmptyText().default("judge"),
  baseUrl: required(nonEmptyText()),
  model: required(nonEmptyText()),
  apiKeyEnvVar: nonEmptyText(),
  parameters: object<JsonObject>(),
  call: nonEmptyText(),
  result: nonEmptyText(),
  parser: oneOf(...parserNames).default("is_content_safe"),
  cacheSize: whole(0).default(1_000),
  maxLength: whole(1).default(16_000),
  timeoutMs: timeout().default(30_000),
  fetch: func<typeof globalThis.fetch>(),
  env: object<Readonly<Record<string, string | undefined>>>(),
} satisfies OptionTable<JudgeOptions>;

/**
 * Ask a model about each call, about each result, or about both.
 *
 * Whatever the model does, there is a verdict: an answer that cannot be read,
 * or does not come, denies. The reason says nothing of what was judged.
 * `metadata.answer_digest` is the SHA-256 digest of the model's answer. With
 * `result` alone it judges results only, and does not count as having judged a
 * call.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION`, `ERR_UNKNOWN_OPTION`, or `ERR_CONFIG` for a template, an address or a key that cannot be used.
 */
export function judge(given: JudgeOptions): GuardrailProvider | ResultGuardrail {
  const read = readOptions("judge()", given, options);
  const { name, timeoutMs } = read;
  const ask = portsOf(read);
  const ofCall = read.call === undefined ? undefined : judgeOf(read, read.call, "call");
  const ofResult = read.result === undefined ? undefined : judgeOf(read, read.result, "result");
  const evaluate: GuardrailProvider["evaluate"] | undefined =
    ofCall &&
    (async ({ toolName, args, signal }) => decision(await ofCall({ toolName, args }, ask, signal)));
  const evaluateResult: ResultGuardrail["evaluateResult"] | undefined =
    ofResult &&
    (async ({ toolName, args, signal }, result) => {
      const matter = { toolName, args, content: wholeOf(result) };
      return decision(await ofResult(matter, ask, signal));
    });
  if (evaluate !== undefined) return { name, timeoutMs, evaluate, evaluateResult };
  if (evaluateResult !== undefined) return { name, timeoutMs, evaluateResult };
  throw optionError(
    "judge()",
    "call",
    "the question about a call, if there is no `result`",
    undefined,
  );
}

type Read = ReturnType<typeof readOptions<typeof options>>;

function judgeOf(read: Read, content: string, of: "call" | "result"): ToolJudge {
  const prompt = { task: `${read.name} ${of}`, content, maxLength: read.maxLength };
  const parse = outputParsers.get(read.parser);
  if (parse === undefined) throw optionError("judge()", "parser", "a known parser", read.parser);
  return toolJudge({ name: read.name, model: read.model, prompt, parse, of });
}

function portsOf({
  name,
  model,
  baseUrl,
  apiKeyEnvVar,
  parameters,
  cacheSize,
  ...read
}: Read): RailPorts {
  const config: ModelConfig = {
    type: name,
    engine: "judge",
    model,
    apiKeyEnvVar,
    parameters: { base_url: baseUrl, timeout: read.timeoutMs / 1_000 },
  };
  const client = modelClient(config, {
    fetch: read.fetch ?? systemPorts.fetch,
    env: read.env ?? systemPorts.env,
    clock: systemPorts.clock,
  });
  const cache = cacheSize === 0 ? undefined : new Latest<Judgement>(cacheSize);
  return {
    ask: (_, body, signal) => client.complete({ ...body, ...parameters }, { signal }),
    classify: () => Promise.reject(new Error("A judge asks no service.")),
    verdicts: () => cache,
  };
}

function decision(verdict: RailVerdict): Allow | (Deny & { readonly approval?: never }) {
  const details = { metadata: verdict.metadata ?? {} };
  if (verdict.status === "passed") return allow(details);
  const failed = verdict.status === "blocked" && verdict.basis === "error";
  return deny(verdict.reason, { code: failed ? "judge_failed" : "judged", ...details });
}

/** Returns the text of a result that the model would read. */
function wholeOf({ content, structured }: ToolResult): ToolContent {
  return structured === undefined ? content : JSON.stringify({ content, structured });
}

const text = { type: "string", minLength: 1 };

/** Names `judge` in data. */
export const plugin: GuardrailPlugin<JudgeData> = {
  name: "judge",
  optionsSchema: {
    type: "object",
    properties: {
      name: text,
      baseUrl: text,
      model: text,
      apiKeyEnvVar: text,
      parameters: { type: "object" },
      call: text,
      result: text,
      parser: { enum: [...parserNames] },
      cacheSize: { type: "integer", minimum: 0 },
      maxLength: { type: "integer", minimum: 1 },
      timeoutMs: { type: "integer", minimum: 1 },
    },
    required: ["baseUrl", "model"],
    anyOf: [{ required: ["call"] }, { required: ["result"] }],
    additionalProperties: false,
  },
  create: judge,
};
