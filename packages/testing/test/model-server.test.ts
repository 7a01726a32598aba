import { completionBody, completionChunk, modelServer } from "@toolstile/testing";
import { expect, it } from "vitest";

function post(url: string, body: string, signal?: AbortSignal): Promise<Response> {
  return fetch(url, { method: "POST", body, ...(signal === undefined ? {} : { signal }) });
}

it("answers in order, records what was asked, and answers 500 once no reply is left", async () => {
  await using server = await modelServer([
    { body: completionBody({ content: "one" }) },
    { status: 429, headers: { "retry-after": "2" }, body: "busy" },
  ]);
  const first = await post(`${server.url}/v1/chat`, '{"model":"m"}');
  expect(await first.json()).toMatchObject({ choices: [{ message: { content: "one" } }] });
  const second = await post(server.url, "no JSON");
  expect([second.status, second.headers.get("retry-after")]).toEqual([429, "2"]);
  expect(await second.text()).toBe("busy");
  expect((await post(server.url, "{}")).status).toBe(500);
  expect(server.requests).toMatchObject([
    { method: "POST", path: "/v1/chat", body: { model: "m" } },
    { path: "/", body: "no JSON" },
    { body: {} },
  ]);
});

it("answers by request, where it is given a function", async () => {
  await using server = await modelServer(({ path }, index) => ({ body: { path, index } }));
  await post(`${server.url}/a`, "");
  expect(await (await post(`${server.url}/b`, "")).json()).toEqual({ path: "/b", index: 1 });
});

it("writes events and [DONE]", async () => {
  await using server = await modelServer([
    { events: [completionChunk({ content: "a" }), ": as it is\n\n"] },
    { events: [], done: false },
  ]);
  const answer = await post(server.url, "");
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  expect((await answer.text()).split("\n\n")).toEqual([
    `data: ${JSON.stringify(completionChunk({ content: "a" }))}`,
    ": as it is",
    "data: [DONE]",
    "",
  ]);
  expect(await (await post(server.url, "")).text()).toBe("");
});

it("closes the connection where a reply throws", async () => {
  await using server = await modelServer(() => {
    throw new Error("no reply");
  });
  await expect(post(server.url, "")).rejects.toThrow();
});

it("stops asking for events once the client has left, and says so", async () => {
  let ended = false;
  await using server = await modelServer([
    {
      events: (function* () {
        try {
          for (;;) yield completionChunk({ content: "a".repeat(1_000) });
        } finally {
          ended = true;
        }
      })(),
    },
    { body: {} },
  ]);
  const controller = new AbortController();
  await post(server.url, "", controller.signal);
  controller.abort();
  expect(await server.requests[0]?.left).toBe(true);
  await (await post(server.url, "")).text();
  expect(await server.requests[1]?.left).toBe(false);
  expect(ended).toBe(true);
});

it("leaves no listener behind, however often it waits for a slow reader", async () => {
  const warnings: string[] = [];
  const note = (warning: Error): void => void warnings.push(warning.name);
  process.on("warning", note);
  await using server = await modelServer([
    { events: Array.from({ length: 500 }, () => completionChunk({ content: "a".repeat(64_000) })) },
  ]);
  await (await post(server.url, "")).text();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", note);
  expect(warnings).toEqual([]);
});
