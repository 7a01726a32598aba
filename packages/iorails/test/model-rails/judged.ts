import type { ChatMessage, Completion } from "../../src/chat/message.js";
import type { PromptConfig, RailsConfigData } from "../../src/config/model.js";
import { buildRails } from "../../src/model-rails/build.js";
import type { RailMetadata, RailSubject, RailVerdict } from "../../src/model-rails/rail.js";
import { type RailsFinding, runRails } from "../../src/model-rails/run-rails.js";
import { config, flow, prompt, scripted, user } from "./data.js";

export type Answers = readonly (string | Completion | Error)[];

export const parser = { outputParser: "nemoguard_parse_prompt_safety" };
const responseParser = { outputParser: "nemoguard_parse_response_safety" };
export const prompts: readonly PromptConfig[] = [
  prompt("content_safety_check_input $model=guard", "U:{{ user_input }}", parser),
  prompt(
    "content_safety_check_output $model=guard",
    "U:{{ user_input }} B:{{ bot_response }}",
    responseParser,
  ),
  prompt("topic_safety_check_input $model=guard", "Talk of tea.\n"),
  prompt("self_check_input", "Block {{ user_input }}?"),
  prompt("self_check_output", "Block {{ bot_response }}?"),
  prompt("self_check_facts", "{{ evidence }} entails {{ bot_response }}?"),
  prompt("self_check_hallucination", "{{ paragraph }} agrees with {{ statement }}?"),
];
export const data = config(prompts);
export const withPrompt = (...own: PromptConfig[]): RailsConfigData => config(own);

interface Judged extends RailsFinding {
  /** Of a rail that blocked or wrote another text. */
  readonly metadata: RailMetadata | undefined;
  readonly asked: ReturnType<typeof scripted>["asked"];
}

/** Build the rail of this flow and let it judge, with the answers of the models given. */
export async function judge(
  direction: "input" | "output",
  text: string,
  subject: RailSubject,
  answers: Answers,
  from: RailsConfigData = data,
  classification?: unknown,
): Promise<Judged> {
  const ports = scripted(answers, classification);
  const finding = await runRails(buildRails([flow(text)], from, direction), subject, ports, {
    parallel: false,
    direction,
  });
  const { metadata } = finding.verdict;
  return { ...finding, verdict: bare(finding.verdict), metadata, asked: ports.asked };
}
export const input = (
  text: string,
  messages: readonly ChatMessage[],
  answers: Answers,
  from = data,
) => judge("input", text, { messages }, answers, from);
export const output = (
  text: string,
  botResponse: string | undefined,
  answers: Answers,
  from = data,
) => judge("output", text, { messages: [user("hi")], botResponse }, answers, from);

/** The verdict without what it says of the model's answer, which has tests of its own. */
function bare(verdict: RailVerdict): RailVerdict {
  const { metadata: _, ...rest } = verdict;
  return rest as RailVerdict;
}

export const passed: RailVerdict = { status: "passed" };
export const policy = (reason: string): RailVerdict => ({
  status: "blocked",
  reason,
  basis: "policy",
});
export const error = (reason: string): RailVerdict => ({
  status: "blocked",
  reason,
  basis: "error",
});

export const safe = '{"User Safety": "safe"}';
export const contentInput = "content safety check input $model=guard";
export const contentOutput = "content safety check output $model=guard";
export const topic = "topic safety check input $model=guard";
