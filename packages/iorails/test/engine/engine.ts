import { type ModelReply, type ModelServer, modelServer } from "@toolstile/testing";
import { onTestFinished } from "vitest";
import {
  Guardrails,
  type GuardrailsOptions,
  RailsConfig,
  type StreamChunk,
} from "../../src/index.js";

export const question = { role: "user", content: "What is it?" };
export const weather = {
  type: "function",
  function: {
    name: "weather",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
};
export const call = { id: "c1", type: "function", function: { name: "weather", arguments: "{}" } };
export const toolRails =
  "rails: {tool_output: {flows: [tool call validation]}, tool_input: {flows: [tool result validation]}}";

/** An engine with these rails in front of real HTTP, each model by its type. */
export async function engine(
  rails: string,
  replies: readonly ModelReply[] | ((model: string) => ModelReply),
  options: GuardrailsOptions = {},
): Promise<{ readonly rails: Guardrails; readonly server: ModelServer }> {
  const server = await modelServer(
    typeof replies === "function"
      ? ({ body }) => replies((body as { model: string }).model)
      : replies,
  );
  onTestFinished(() => server.close());
  const models = ["main", "self_check_facts", "self_check_input"].map((type) => ({
    type,
    engine: "openai",
    model: type,
    parameters: { base_url: server.url },
  }));
  const config = await RailsConfig.fromContent({ config: { models }, yaml: rails });
  return { rails: new Guardrails(config, { env: {}, ...options }), server };
}

/** The text of a stream; of any other chunk, its type in brackets. */
export async function textOf(chunks: AsyncIterable<StreamChunk>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk.type === "text" ? chunk.text : `[${chunk.type}]`;
  return text;
}
