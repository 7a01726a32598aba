import type { GenerationResult } from "@toolstile/iorails";
import { withEachSection } from "../configurations.mjs";
import { type Asked, calling, type Reply, seen } from "./probe.js";

/** Two requests that differ by one option alone, and what is seen of each. */
export interface OptionEffect {
  readonly option: string;
  readonly values: readonly [unknown, unknown];
  readonly prompt?: string;
  /** The answer of the model. */
  readonly reply?: Reply;
  /** The conversation has a result that names another tool than its call. */
  readonly hasResult?: true;
  readonly of: (result: GenerationResult, asked: readonly Asked[]) => unknown;
  readonly sees: readonly [unknown, unknown];
}

const status = ({ status }: GenerationResult): unknown => status;
const onOff = { values: [true, false], of: status, sees: ["blocked", "passed"] } as const;

/** The YAML of a configuration with rails of every kind, which look for an `a`. */
export const optionEffects: readonly OptionEffect[] = [
  {
    option: "llm_params",
    values: [{ temperature: 0 }, { temperature: 1 }],
    of: (_, [first]) => first?.body.temperature,
    sees: [0, 1],
  },
  { option: "rails.input", ...onOff, prompt: "a" },
  { option: "rails.output", ...onOff, reply: "a" },
  { option: "rails.tool_output", ...onOff, reply: calling({}) },
  { option: "rails.tool_call", ...onOff, reply: calling({}) },
  { option: "rails.tool_input", ...onOff, hasResult: true },
  { option: "rails.tool_result", ...onOff, hasResult: true },
  {
    option: "log.activated_rails",
    values: [true, false],
    of: ({ log }) => log?.activated_rails?.some(({ name }) => name === "regex check input"),
    sees: [true, undefined],
  },
  {
    option: "log.llm_calls",
    values: [true, false],
    of: ({ log }) => log?.llm_calls?.length,
    sees: [1, undefined],
  },
];

const call = { id: "c1", type: "function", function: { name: "t", arguments: "{}" } };
const exchange = [
  { role: "assistant", content: null, tool_calls: [call] },
  { role: "tool", tool_call_id: "c1", name: "other", content: "done" },
];

/** The answer to a request with one value of an option. */
export function seenOfOption(row: OptionEffect, value: unknown): Promise<unknown> {
  const { option, prompt = "hello", reply = "fine", hasResult, of } = row;
  const [first = "", second] = option.split(".");
  const options = { [first]: second === undefined ? value : { [second]: value } };
  const messages = [{ role: "user", content: prompt }, ...(hasResult === true ? exchange : [])];
  const effect = {
    key: "colang_version",
    given: withEachSection(),
    values: ["1.0", "1.0"],
    replies: { m: reply },
    ask: async ({ rails, asked }) => of(await rails.generate({ messages, options }), asked),
    sees: row.sees,
  } satisfies Parameters<typeof seen>[0];
  return seen(effect, "1.0");
}
