import { inspect } from "node:util";
import { completionChunk, type ModelReply, modelServer } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/errors.js";
import { all, clientOf, faultOf, planted, rawServer, testPorts } from "./support.js";

/** A question that holds the secret too. */
const secretive = { messages: [{ role: "user", content: planted }] };

/** Everything that a log could print of an error, its causes and hidden members among it. */
function printed(error: unknown): string {
  const seen: string[] = [];
  for (let next = error; next instanceof Error; next = next.cause) {
    const own = Object.getOwnPropertyNames(next).map((name) =>
      String(Reflect.get(next as object, name)),
    );
    seen.push(
      String(next),
      next.stack ?? "",
      JSON.stringify(next),
      inspect(next, { depth: 9, showHidden: true }),
      ...own,
    );
  }
  return seen.join("\n");
}

const sse = { "content-type": "text/event-stream" };
const faults: readonly (readonly [string, ModelReply])[] = [
  ["a refusal", { status: 401, body: { error: { message: `Incorrect API key: ${planted}` } } }],
  [
    "a refusal's headers",
    { status: 400, headers: { "x-detail": planted, "x-request-id": `${planted}é` }, body: {} },
  ],
  ["an error of the server", { status: 500, body: planted }],
  ["a redirect", { status: 307, headers: { location: `http://127.0.0.1:1/${planted}` }, body: {} }],
  ["text", { body: planted }],
  ["half an answer", { body: `{"secret": "${planted}` }],
  ["a wrong shape", { body: { choices: [{ message: { content: { [planted]: planted } } }] } }],
  ["a reported error", { body: { error: { message: planted, code: planted } } }],
  ["another type", { headers: { "content-type": `text/html; x=${planted}` }, body: planted }],
];

function expectNoSecret(error: ModelError): void {
  expect(ModelError.isInstance(error)).toBe(true);
  expect(printed(error)).not.toContain(planted);
  expect(printed(error)).not.toContain(planted.slice(0, 12));
  expect(error.cause).toBeUndefined();
}

describe.each(["complete", "stream"] as const)("P2 %s", (method) => {
  const ask = (server: { readonly url: string }): Promise<unknown> => {
    const client = clientOf(server, testPorts({ random: () => 0 }), { max_attempts: 1 });
    return method === "complete" ? client.complete(secretive) : all(client.stream(secretive));
  };

  it.each(faults)("shows nothing of %s in its error", async (_, reply) => {
    await using server = await modelServer([reply]);
    expectNoSecret(await faultOf(ask(server)));
  });

  it.each([
    ["garbage", planted],
    ["a broken header", `HTTP/1.1 200 OK\r\n${planted}\r\n\r\n`],
    ["a broken chunk", `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${planted}`],
    ["a status line of its own", `HTTP/1.1 500 ${planted}\r\ncontent-length: 0\r\n\r\n`],
    [
      "no gzip",
      `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${planted.length}\r\n\r\n${planted}`,
    ],
  ])("shows nothing of %s in its error", async (_, bytes) => {
    await using server = await rawServer((socket) => void socket.end(bytes));
    expectNoSecret(await faultOf(ask(server)));
  });

  it.each([
    [
      "throws an error that quotes the key",
      () => {
        throw new TypeError(planted, { cause: new Error(planted) });
      },
    ],
    [
      "throws an error with a lower-case code",
      () => {
        throw Object.assign(new Error(planted), { code: `E ${planted}` });
      },
    ],
    [
      "throws no error",
      () => {
        throw planted;
      },
    ],
  ])("shows nothing of a fetch that %s", async (_, fetch) => {
    const client = clientOf({ url: "http://host" }, testPorts({ fetch }), { max_attempts: 1 });
    const answer =
      method === "complete" ? client.complete(secretive) : all(client.stream(secretive));
    const error = await faultOf(answer);
    expectNoSecret(error);
    expect(error).toMatchObject({ fault: "network" });
  });
});

it.each<readonly [string, readonly unknown[]]>([
  ["an error event", [{ error: { message: planted } }]],
  ["an event that is no JSON", [`data: {"${planted}\n\n`]],
  ["a stream that breaks off", [completionChunk({ content: planted })]],
  ["an event too long", [`data: ${planted.repeat(300_000)}\n\n`]],
])("P2 shows nothing of %s in its error", async (_, events) => {
  await using server = await modelServer([{ events, headers: sse, done: false }]);
  expectNoSecret(await faultOf(all(clientOf(server).stream(secretive))));
});

it("P2 shows no reason of the caller's signal", async () => {
  await using server = await modelServer([]);
  const signal = AbortSignal.abort(new Error(planted));
  expectNoSecret(await faultOf(clientOf(server).complete(secretive, { signal })));
});

it("P2 shows no key when a client is printed", () => {
  const client = clientOf({ url: "http://host" });
  expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain(
    planted,
  );
});
