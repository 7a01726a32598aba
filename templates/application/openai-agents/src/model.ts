import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { script } from "./script.js";

/** In place of a model: asks for all calls of the script, then ends. Without one, the SDK asks OpenAI's. */
export function scriptedModel(): ScriptedModel {
  const calls = script.map(({ id, name, args }) => functionCall(name, args, { callId: id }));
  return new ScriptedModel([calls, [assistantMessage("I have done what I may.")]]);
}
