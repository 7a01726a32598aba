import { getEventListeners } from "node:events";
import { modelServer } from "@toolstile/testing";
import { expect, it } from "vitest";
import { serviceClient } from "../../src/http/model-client.js";
import { faultOf, planted, testPorts, until } from "./support.js";

const name = "jailbreak_detection";

it("posts JSON with its key, and gives what it reads", async () => {
  await using server = await modelServer([{ body: { jailbreak: false, score: -0.9 } }]);
  const client = serviceClient(
    { name, url: `${server.url}/v1/classify`, apiKey: planted },
    testPorts(),
  );
  expect(await client.post({ input: "Hello" })).toEqual({ jailbreak: false, score: -0.9 });
  expect(server.requests[0]).toMatchObject({
    method: "POST",
    path: "/v1/classify",
    headers: { authorization: `Bearer ${planted}`, accept: "application/json" },
    body: { input: "Hello" },
  });
});

it("sends no Authorization without a key", async () => {
  await using server = await modelServer([{ body: null }]);
  expect(await serviceClient({ name, url: server.url }, testPorts()).post({})).toBeNull();
  expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
});

it("sends its key in a header of the service's own", async () => {
  await using server = await modelServer([{ body: null }]);
  const settings = { apiKey: planted, keyHeader: "X-Api-Key" };
  await serviceClient({ name, url: server.url, ...settings }, testPorts()).post({});
  expect(server.requests[0]?.headers).toMatchObject({ "x-api-key": planted });
  expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
});

it("gives up after the seconds that it is given", async () => {
  await using server = await modelServer([{ respond: () => {} }]);
  const ports = testPorts();
  const client = serviceClient({ name, url: server.url, timeout: 2 }, ports);
  const answer = faultOf(client.post({}));
  await until(() => server.requests.length === 1);
  ports.clock.advance(2_000);
  expect(await answer).toMatchObject({ fault: "timeout" });
});

it("asks again as a model's client does, and names the service in its error", async () => {
  await using server = await modelServer(() => ({ status: 500, body: planted }));
  const ports = testPorts();
  const answer = faultOf(serviceClient({ name, url: server.url }, ports).post({}));
  for (const wait of [200, 400]) {
    await until(() => ports.delays.includes(wait));
    ports.clock.advance(wait);
  }
  expect(await answer).toMatchObject({
    fault: "status",
    model: name,
    status: 500,
    message: "The service 'jailbreak_detection' answered with status 500.",
  });
  expect(server.requests).toHaveLength(3);
});

it("calls an answer that is not JSON malformed", async () => {
  await using server = await modelServer([{ body: planted }]);
  const fault = await faultOf(serviceClient({ name, url: server.url }, testPorts()).post({}));
  expect(fault).toMatchObject({ fault: "malformed", status: 200 });
  expect(fault.message).not.toContain(planted);
});

it("ends on an abort, and leaves no listener", async () => {
  await using server = await modelServer([{ respond: () => {} }]);
  const controller = new AbortController();
  const client = serviceClient({ name, url: server.url }, testPorts());
  const answer = faultOf(client.post({}, { signal: controller.signal }));
  await until(() => server.requests.length === 1);
  controller.abort();
  expect(await answer).toMatchObject({ fault: "aborted" });
  expect(await server.requests[0]?.left).toBe(true);
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
});

it.each([
  ["a URL with a password", `http://me:${planted}@host`, undefined],
  ["a URL without a scheme", "host/classify", undefined],
  ["a key with a line end in it", "http://host", `a\nb${planted}`],
])("refuses %s, without showing it", (_, url, key) => {
  const build = () => serviceClient({ name, url, apiKey: key }, testPorts());
  expect(build).toThrow(expect.objectContaining({ code: "ERR_CONFIG" }));
  expect(build).toThrow("'jailbreak_detection'");
  expect(build).not.toThrow(planted);
});
