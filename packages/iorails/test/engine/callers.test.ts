import type { GuardrailProvider } from "@toolstile/core";
import type { HostContext } from "@toolstile/core/host";
import { completionBody } from "@toolstile/testing";
import { afterEach, describe, expect, it } from "vitest";
import type { CheckRequest, GenerationRequest } from "../../src/index.js";
import { call, engine, question, toolRails, weather } from "./engine.js";

const options = { llm_params: { tools: [weather] } };
const asks = { body: completionBody({ content: null, tool_calls: [call] }) };

/** Takes down what guards are told of whoever asks. */
function witness(): { readonly guard: GuardrailProvider; readonly seen: unknown[] } {
  const seen: unknown[] = [];
  const guard: GuardrailProvider = {
    name: "witness",
    evaluate: ({ context, agentName }) => {
      seen.push({ ...context, agentName });
      return { decision: "allow" };
    },
  };
  return { guard, seen };
}

describe("whoever asks", () => {
  it("P6 is who they were when they asked, also if the host uses the object again", async () => {
    const { guard, seen } = witness();
    const { rails } = await engine(toolRails, [asks], { providers: { toolCall: [guard] } });
    const attributes = { team: "red" };
    const context = { sessionId: "s1", principal: "ada", attributes };
    const answering = rails.generate({ messages: [question], options, context, agentName: "a" });
    context.principal = "eve";
    attributes.team = "blue";
    await answering;
    expect(seen).toEqual([
      { sessionId: "s1", principal: "ada", attributes: { team: "red" }, agentName: "a" },
    ]);
  });

  it("is nobody in what is null", async () => {
    const { guard, seen } = witness();
    const { rails } = await engine(toolRails, [asks], { providers: { toolCall: [guard] } });
    const context = { sessionId: "s1", principal: null, attributes: null };
    const request = { messages: [question], options, context, agentName: null, signal: null };
    await rails.generate(request as unknown as GenerationRequest);
    expect(seen).toEqual([{ sessionId: "s1", agentName: undefined }]);
  });

  it.each<[string, Partial<Record<keyof GenerationRequest, unknown>>, RegExp]>([
    ["a misspelt fact", { context: { sessionID: "s1" } }, /sessionID.*sessionId/],
    ["a session that is no text", { context: { sessionId: 7 } }, /context\.sessionId/],
    ["attributes in a list", { context: { attributes: [] } }, /context\.attributes/],
    ["a context in a map", { context: new Map([["sessionId", "s1"]]) }, /context/],
    ["a context that is a promise", { context: Promise.resolve({}) }, /context/],
    ["an agent without a name", { agentName: { name: "a" } }, /agentName/],
    ["a controller for its signal", { signal: new AbortController() }, /signal/],
  ])("is refused with %s, on every way in", async (_, wrong, message) => {
    const { rails, server } = await engine(toolRails, []);
    const request = { messages: [question], ...wrong } as GenerationRequest;
    const refusal = {
      code: expect.stringMatching(/^ERR_(INVALID|UNKNOWN)_OPTION$/),
      message: expect.stringMatching(message),
    };
    await expect(rails.generate(request)).rejects.toMatchObject(refusal);
    await expect(rails.check(request as CheckRequest)).rejects.toMatchObject(refusal);
    expect(() => rails.stream(request)).toThrowError(expect.objectContaining(refusal));
    expect(server.requests).toEqual([]);
  });

  describe("with a polluted Object.prototype", () => {
    const planted = { context: { principal: "admin" }, agentName: "admin" };
    afterEach(() => {
      for (const key of Object.keys(planted)) Reflect.deleteProperty(Object.prototype, key);
    });

    it("P8 is nobody, where the request does not say", async () => {
      const { guard, seen } = witness();
      const { rails } = await engine(toolRails, [asks], { providers: { toolCall: [guard] } });
      for (const [key, value] of Object.entries(planted)) {
        Object.defineProperty(Object.prototype, key, { value, configurable: true, writable: true });
      }
      await rails.generate({ messages: [question], options });
      for (const key of Object.keys(planted)) Reflect.deleteProperty(Object.prototype, key);
      expect(seen.map((one) => JSON.stringify(one))).toEqual(["{}"]);
    });
  });

  it("keeps the same context object usable for a request of its own", async () => {
    const { rails } = await engine(toolRails, [asks, asks]);
    const context: HostContext = Object.freeze({ sessionId: "s1" });
    const request = { messages: [question], options, context };
    expect((await rails.generate(request)).status).toBe("passed");
    expect((await rails.generate(request)).status).toBe("passed");
  });
});
