import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { guardrailsMiddleware } from "../src/rails/index.js";
import { scripted } from "./support/agents.js";
import { agentWith, blockedInput, say, sayingOf, shown } from "./support/rails.js";

describe("rails whose describe() gives no facts", () => {
  it.each([
    [
      "throws",
      () => {
        throw new Error("no session");
      },
    ],
    ["is asynchronous", async () => ({ agentName: "desk" })],
    ["rejects later", () => Promise.reject(new Error("no session"))],
    [
      "gives a context that throws",
      () => ({
        context: {
          get principal(): never {
            throw new Error("no");
          },
        },
      }),
    ],
    ["gives nothing", () => undefined],
  ])("P2 block, ask nothing, and tell operators: it %s", async (_, said) => {
    const { rails, asked } = sayingOf(() => undefined);
    const faults: unknown[] = [];
    const model = scripted();
    model.respond(new AIMessage("fine"));
    const middleware = guardrailsMiddleware({
      rails,
      describe: said as never,
      onFault: (fault) => faults.push(fault),
    });
    const { messages } = await agentWith(middleware, model).invoke(say("hi"));
    expect(shown(messages).at(-1)).toEqual(["ai", blockedInput]);
    expect(asked).toEqual([]);
    expect(model.calls).toEqual([]);
    expect(faults).toMatchObject([{ source: "GuardrailsMiddleware", phase: "check" }]);
  });
});
