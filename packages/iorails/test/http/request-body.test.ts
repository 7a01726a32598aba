import { completionBody, modelServer } from "@toolstile/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkRequestParameters } from "../../src/http/model-client.js";
import { bodyDefaults, requestBody } from "../../src/http/request-body.js";
import { clientOf, question, testPorts } from "./support.js";

const reserved = {
  base_url: "x",
  timeout: 1,
  timeout_connect: 1,
  max_attempts: 1,
  api_key: "x",
  model: "x",
  model_name: "x",
  messages: [],
  stream: true,
  stream_options: {},
  default_headers: {},
  default_query: {},
};

it("keeps every reserved parameter out of the defaults, and everything else in", () => {
  expect(bodyDefaults({ ...reserved, temperature: 0, tools: [] })).toEqual({
    temperature: 0,
    tools: [],
  });
});

it("replaces defaults key by key, and leaves one alone that a request has undefined", () => {
  const defaults = { temperature: 0.1, stop: ["a"], tools: [{ type: "function" }] };
  const body = { ...question, temperature: undefined, stop: ["b"], tools: [], top_p: 1 };
  expect(JSON.parse(requestBody("m", defaults, body, false))).toEqual({
    model: "m",
    ...question,
    temperature: 0.1,
    stop: ["b"],
    tools: [],
    top_p: 1,
  });
});

it("lets a request name another model and stream_options, and says stream itself", () => {
  const body = { ...question, model: "other", stream_options: { include_usage: true } };
  expect(JSON.parse(requestBody("m", {}, body, true))).toEqual({
    ...body,
    stream: true,
  });
});

it("forwards messages as they are, unknown roles and members among them", async () => {
  await using server = await modelServer([{ body: completionBody({ content: "hi" }) }]);
  const messages = [{ role: "odd", content: null, extra: { a: [1] } }, 7];
  await clientOf(server).complete({ messages });
  expect(server.requests[0]?.body).toEqual({ model: "scripted", messages });
});

it("property: each key comes from the request where it is there, else from the defaults", () => {
  const parameters = fc.dictionary(
    fc.string().filter((key) => !(key in reserved) && key !== "model_type"),
    fc.jsonValue().filter((value) => value !== null),
  );
  fc.assert(
    fc.property(parameters, parameters, (defaults, given) => {
      const whole = JSON.parse(
        requestBody("m", defaults as never, { ...given, messages: [] }, false),
      );
      for (const key of new Set([...Object.keys(defaults), ...Object.keys(given)])) {
        const source = Object.hasOwn(given, key) ? given : defaults;
        expect(whole[key]).toEqual(JSON.parse(JSON.stringify(source[key])));
      }
    }),
  );
});

describe.each(["complete", "stream"] as const)("%s", (method) => {
  async function ask(body: Readonly<Record<string, unknown>>): Promise<void> {
    const client = clientOf(
      { url: "http://127.0.0.1:1" },
      testPorts({
        fetch: () => {
          throw new Error("asked");
        },
      }),
    );
    if (method === "complete") await client.complete(body);
    else client.stream(body);
  }
  const cycle: Record<string, unknown> = {};
  cycle.cycle = cycle;

  it.each([
    ["stream", { ...question, stream: false }],
    ["model_type", { ...question, model_type: "chat" }],
    ["base_url", { ...question, base_url: "http://elsewhere" }],
    ["api_key", { ...question, api_key: "x" }],
    ["messages", {}],
    ["messages", { messages: "hi" }],
    ["model", { ...question, model: "" }],
    ["JSON", { ...question, tools: cycle }],
    ["JSON", { ...question, n: 1n }],
  ])("refuses a request for its %s before anything is sent", async (culprit, body) => {
    const refusal = await ask(body).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject({ code: "ERR_INVALID_OPTION" });
    expect(String(refusal)).toContain(culprit);
  });
});

it("refuses messages among the parameters of one request", () => {
  expect(() => checkRequestParameters({ messages: [] })).toThrow("'messages'");
  expect(() => checkRequestParameters({ temperature: 1, model: "m" })).not.toThrow();
});
