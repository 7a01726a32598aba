import type { JsonObject } from "@toolstile/core";
import { completionBody, modelServer } from "@toolstile/testing";
import { expect, it } from "vitest";
import type { ModelConfig } from "../../src/config/model.js";
import { modelClient } from "../../src/http/model-client.js";
import { clientOf, planted, question, testPorts } from "./support.js";

function config(parameters: JsonObject = {}, more: Partial<ModelConfig> = {}): ModelConfig {
  const usual = { type: "main", engine: "local", model: "m", apiKeyEnvVar: undefined };
  return { ...usual, parameters, ...more };
}

/** What would go out, without a network. */
async function sent(
  model: ModelConfig,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly url: string; readonly headers: Headers }> {
  let request: { url: string; headers: Headers } | undefined;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    request = { url: String(url), headers: new Headers(init?.headers) };
    return Response.json(completionBody({ content: "hi" }));
  };
  await modelClient(model, testPorts({ fetch, env })).complete(question);
  if (request === undefined) throw new Error("Nothing was sent.");
  return request;
}

it.each([
  ["http://host", "http://host/v1/chat/completions"],
  ["http://host/", "http://host/v1/chat/completions"],
  ["http://host/v1", "http://host/v1/chat/completions"],
  ["http://host/v1/", "http://host/v1/chat/completions"],
  ["http://host/v1//", "http://host/v1/chat/completions"],
  ["http://host/v1/v1", "http://host/v1/v1/chat/completions"],
  ["https://host:8443/team/a/v1", "https://host:8443/team/a/v1/chat/completions"],
  ["http://host/api", "http://host/api/v1/chat/completions"],
  ["http://[::1]:8000", "http://[::1]:8000/v1/chat/completions"],
  ["HTTP://Host/v1", "http://host/v1/chat/completions"],
])("reads the base URL %s as %s", async (base_url, url) => {
  expect((await sent(config({ base_url }))).url).toBe(url);
});

it.each([
  ["nim", "https://integrate.api.nvidia.com/v1/chat/completions", "NVIDIA_API_KEY"],
  ["openai", "https://api.openai.com/v1/chat/completions", "OPENAI_API_KEY"],
])("knows where %s is and which variable holds its key", async (engine, url, variable) => {
  const request = await sent(config({}, { engine }), { [variable]: "k-1" });
  expect(request.url).toBe(url);
  expect(request.headers.get("authorization")).toBe("Bearer k-1");
  expect((await sent(config({}, { engine }))).headers.has("authorization")).toBe(false);
});

it("takes the key from the variable that the configuration names, and from no other", async () => {
  const env = { MINE: "k-mine\n", OPENAI_API_KEY: "k-usual" };
  const model = config({}, { engine: "openai", apiKeyEnvVar: "MINE" });
  expect((await sent(model, env)).headers.get("authorization")).toBe("Bearer k-mine");
});

it("sends no Authorization where there is no key, and never takes parameters.api_key for one", async () => {
  const request = await sent(config({ base_url: "http://host", api_key: planted }), {
    OPENAI_API_KEY: "k",
  });
  expect(request.headers.has("authorization")).toBe(false);
});

it("sends default headers and a default query, and neither in the body", async () => {
  await using server = await modelServer([{ body: completionBody({ content: "hi" }) }]);
  const client = clientOf(server, testPorts(), {
    default_headers: { "X-Team": "a b" },
    default_query: { "api-version": "2024-10-21&x" },
    temperature: 0.5,
  });
  await client.complete(question);
  expect(server.requests[0]).toMatchObject({
    path: "/v1/chat/completions?api-version=2024-10-21%26x",
    headers: { "x-team": "a b", authorization: `Bearer ${planted}` },
    body: { model: "scripted", temperature: 0.5, ...question },
  });
  expect(Object.keys(server.requests[0]?.body as object)).toEqual([
    "model",
    "messages",
    "temperature",
  ]);
});

const base_url = "http://host";
it.each<readonly [string, JsonObject, Partial<ModelConfig>, RegExp]>([
  ["an engine without a base URL", {}, {}, /'main' .*base_url/],
  ["a base URL that is a number", { base_url: 8 }, {}, /base_url/],
  ["an empty base URL", { base_url: "" }, {}, /base_url/],
  ["a base URL without a scheme", { base_url: "host:80" }, {}, /http:\/\//],
  ["a base URL of a file", { base_url: "file:///etc/passwd" }, {}, /http:\/\//],
  ["a base URL that cannot be parsed", { base_url: "http://" }, {}, /http:\/\//],
  ["a base URL with credentials", { base_url: `http://me:${planted}@host` }, {}, /password/],
  ["a base URL with a query", { base_url: `http://host?key=${planted}` }, {}, /query/],
  ["a variable that is unset", { base_url }, { apiKeyEnvVar: "NOT_SET" }, /'NOT_SET'/],
  ["a variable that is empty", { base_url }, { apiKeyEnvVar: "EMPTY" }, /'EMPTY'/],
  ["a variable called __proto__", { base_url }, { apiKeyEnvVar: "__proto__" }, /__proto__/],
  ["a key with a line end in it", { base_url }, { apiKeyEnvVar: "BROKEN" }, /key of model 'main'/],
  ["a negative timeout", { base_url, timeout: -1 }, {}, /'parameters.timeout'/],
  ["a timeout in words", { base_url, timeout: "30" }, {}, /'parameters.timeout'/],
  ["a timeout of days", { base_url, timeout: 1e9 }, {}, /86400/],
  ["a connect timeout in words", { base_url, timeout_connect: "5" }, {}, /timeout_connect/],
  ["half an attempt", { base_url, max_attempts: 1.5 }, {}, /max_attempts/],
  ["a thousand attempts", { base_url, max_attempts: 1_000 }, {}, /max_attempts/],
  ["headers in a list", { base_url, default_headers: [] }, {}, /default_headers/],
  ["a header that is a number", { base_url, default_headers: { a: 1 } }, {}, /'a'/],
  ["a header with a line end", { base_url, default_headers: { a: `x\r\n${planted}` } }, {}, /'a'/],
  ["a header name with a space", { base_url, default_headers: { "a b": "c" } }, {}, /'a b'/],
  ["a header twice", { base_url, default_headers: { A: "1", a: "2" } }, {}, /twice/],
  ["a query that is a number", { base_url, default_query: { a: 1 } }, {}, /'a'/],
])("refuses %s, naming it and no secret", (_, parameters, more, message) => {
  const env = { EMPTY: " ", BROKEN: `a\nb${planted}` };
  const build = () => modelClient(config(parameters, more), testPorts({ env }));
  expect(build).toThrow(expect.objectContaining({ code: "ERR_CONFIG" }));
  expect(build).toThrow(message);
  expect(build).not.toThrow(planted);
});

it.each([
  "Authorization",
  "HOST",
  "Content-Length",
  "content-type",
  "Connection",
  "Transfer-Encoding",
  "Cookie",
  "Proxy-Authorization",
  "Sec-Fetch-Mode",
  "Accept",
])("refuses %s as a default header", (name) => {
  const build = () =>
    modelClient(config({ base_url, default_headers: { [name]: planted } }), testPorts());
  expect(build).toThrow(`must not set '${name}'`);
  expect(build).not.toThrow(planted);
});

it.each([0, null, false, ""])("takes %j for the default, as upstream does", async (falsy) => {
  const ports = testPorts({ fetch: async () => Response.json(completionBody({ content: "hi" })) });
  const parameters = { base_url, timeout: falsy, timeout_connect: falsy, max_attempts: falsy };
  await modelClient(config(parameters), ports).complete(question);
  expect(ports.delays).toEqual([30_000]);
});
