import { AIMessage, fakeModel } from "langchain";
import { script } from "./script.js";

/** In place of a model: asks for all calls of the script, then ends. In its place goes `"openai:…"` or another. */
export function scriptedModel(): ReturnType<typeof fakeModel> {
  return fakeModel()
    .respondWithTools(script.map(({ id, name, args }) => ({ id, name, args })))
    .respond(new AIMessage("I have done what I may."));
}
