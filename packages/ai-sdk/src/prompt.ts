import type { ModelParams, ModelPart } from "./sdk.js";

/** The call of a tool that the provider runs, in what the model is asked with: the last of its id. */
export function findCall(prompt: ModelParams["prompt"], toolCallId: string): ModelPart | undefined {
  return prompt
    .filter(({ role, content }) => role === "assistant" && Array.isArray(content))
    .flatMap(({ content }) => content as readonly ModelPart[])
    .findLast(
      (part) =>
        part.type === "tool-call" &&
        part.toolCallId === toolCallId &&
        part.providerExecuted === true,
    );
}
