import type { MemorySaver } from "@langchain/langgraph";
import type { CheckResult } from "@toolstile/iorails";
import { completionBody, modelServer } from "@toolstile/testing";
import { type AgentMiddleware, type BaseMessage, createAgent, HumanMessage } from "langchain";
import { onTestFinished } from "vitest";
import type { RailsChecker } from "../../src/rails/index.js";
import type { scripted } from "./agents.js";

export const blockedInput = "I cannot process this request due to content policy.";
export const blockedOutput = "I cannot provide this response due to content policy.";

interface Agent {
  readonly invoke: (
    state: object,
    config?: object,
  ) => Promise<{ readonly messages: readonly BaseMessage[] }>;
}

export function agentWith(
  middleware: AgentMiddleware,
  model: ReturnType<typeof scripted>,
  tools: readonly unknown[] = [],
  checkpointer?: MemorySaver,
): Agent {
  return createAgent({
    model,
    tools: tools as never,
    middleware: [middleware],
    ...(checkpointer && { checkpointer }),
  }) as never;
}

export const say = (content: string, name?: string) => ({
  messages: [new HumanMessage({ content, id: "h1", ...(name !== undefined && { name }) })],
});
export const shown = (messages: readonly BaseMessage[]) =>
  messages.map((message) => [message.getType(), message.content]);

/** Real rails whose models answer yes where a prompt holds this word. */
export async function selfChecks(word: string, more = "") {
  const server = await modelServer(({ body }) => ({
    body: completionBody({ content: JSON.stringify(body).includes(word) ? "Yes" : "No" }),
  }));
  onTestFinished(() => server.close());
  const yaml = `
models: [{ type: main, engine: openai, model: m, parameters: { base_url: "${server.url}" } }]
rails:
  input: { flows: [self check input] }
  output: { flows: [self check output] }
${more}
prompts:
  - { task: self_check_input, content: "Block? {{ user_input }}" }
  - { task: self_check_output, content: "Block? {{ bot_response }}" }
`;
  return { yaml, server };
}

/** Rails that say this of what they are asked, and remember it. */
export function sayingOf(
  verdict: (text: string, family: string) => Partial<CheckResult> | undefined,
) {
  const asked: [family: string, text: string][] = [];
  const rails: RailsChecker = {
    check: async ({ messages, options }) => {
      const [family = ""] = (options?.rails ?? []) as readonly string[];
      const last = messages.at(-1);
      const text = String(last?.content ?? "");
      asked.push([family, text]);
      const said = verdict(text, family);
      const content = said?.content ?? text;
      return {
        status: "passed",
        violations: [],
        ...said,
        content,
        messages:
          said?.messages ?? messages.map((each) => (each === last ? { ...each, content } : each)),
      } as CheckResult;
    },
  };
  return { rails, asked };
}

export const blocking = (word: string, rail = "no words") =>
  sayingOf((text) => (text.includes(word) ? { status: "blocked", rail } : undefined));
export const redacting = (family: string) =>
  sayingOf((text, asked) =>
    asked === family && text.includes("1234")
      ? { status: "modified", content: text.replace("1234", "****") }
      : undefined,
  );
