import { gzipSync } from "node:zlib";
import { completionBody, modelServer } from "@toolstile/testing";
import { expect, it } from "vitest";
import {
  clientOf,
  deadServer,
  faultOf,
  planted,
  question,
  rawServer,
  testPorts,
  turn,
  until,
} from "./support.js";

it("reads an answer, and sends the request's id", async () => {
  await using server = await modelServer([{ body: completionBody({ content: "Hi." }) }]);
  const completion = await clientOf(server).complete(question, { requestId: "0123456789abcdef" });
  expect(completion).toMatchObject({ content: "Hi.", calls: [], finishReason: "stop" });
  expect(server.requests[0]).toMatchObject({
    method: "POST",
    headers: { "content-type": "application/json", "x-client-request-id": "0123456789abcdef" },
  });
});

it("leaves out a request id that cannot stand in a header", async () => {
  await using server = await modelServer([{ body: completionBody({ content: "Hi." }) }]);
  await clientOf(server).complete(question, { requestId: "a\r\nb: c" });
  expect(server.requests[0]?.headers).not.toHaveProperty("x-client-request-id");
});

it("reads an answer that is compressed", async () => {
  await using server = await modelServer([
    {
      respond: (response) => {
        response.setHeader("content-encoding", "gzip");
        response.end(gzipSync(JSON.stringify(completionBody({ content: "Hi." }))));
      },
    },
  ]);
  expect(await clientOf(server).complete(question)).toMatchObject({ content: "Hi." });
});

it("uses one connection for one request after another, refused ones among them", async () => {
  const ports = new Set<number | undefined>();
  await using server = await modelServer((_, index) => ({
    respond: (response) => {
      ports.add(response.socket?.remotePort);
      response.statusCode = index === 1 ? 400 : 200;
      response.end(JSON.stringify(completionBody({ content: "Hi." })));
    },
  }));
  const client = clientOf(server);
  for (let round = 0; round < 3; round++) {
    await (round === 1 ? faultOf(client.complete(question)) : client.complete(question));
    // Node puts the connection back, and reads the refused answer, in the background.
    for (let turns = 0; turns < 50; turns++) await turn();
  }
  expect(server.requests).toHaveLength(3);
  expect(ports.size).toBe(1);
});

it("leaves no timer behind", async () => {
  await using server = await modelServer([
    { body: completionBody({ content: "Hi." }) },
    { status: 400, body: {} },
    { body: "no JSON" },
  ]);
  const ports = testPorts();
  const client = clientOf(server, ports);
  await client.complete(question);
  expect(ports.clock.waiting()).toBe(0);
  await faultOf(client.complete(question));
  await until(() => ports.clock.waiting() === 0);
  await faultOf(client.complete(question));
  expect(ports.clock.waiting()).toBe(0);
});

it.each([
  ["text", "Sorry, no."],
  ["nothing", ""],
  ["half of it", JSON.stringify(completionBody({ content: planted })).slice(0, -9)],
  ["a list", []],
  ["a number", 7],
  ["no choices", { choices: [] }],
  ["no message", { choices: [{ index: 0, finish_reason: "stop" }] }],
])("calls an answer of %s malformed, and does not ask again", async (_, body) => {
  await using server = await modelServer([{ body, headers: { "x-request-id": "req-1" } }]);
  const fault = await faultOf(clientOf(server).complete(question));
  expect(fault).toMatchObject({
    code: "ERR_MODEL",
    fault: "malformed",
    model: "main",
    status: 200,
    providerRequestId: "req-1",
  });
  expect(server.requests).toHaveLength(1);
});

it("calls an answer that is no UTF-8 malformed", async () => {
  const text = JSON.stringify(completionBody({ content: "é" }));
  await using server = await modelServer([
    { respond: (response) => void response.end(Buffer.from(text, "latin1")) },
  ]);
  expect(await faultOf(clientOf(server).complete(question))).toMatchObject({ fault: "malformed" });
});

it.each([
  ["plain", undefined],
  ["compressed to a few kB", "gzip"],
])("stops reading an answer beyond 16 MiB, %s, and closes the connection", async (_, encoding) => {
  const body = Buffer.alloc(17 * 1_024 * 1_024, " ");
  await using server = await modelServer([
    {
      respond: (response) => {
        if (encoding !== undefined) response.setHeader("content-encoding", encoding);
        response.write(encoding === undefined ? body : gzipSync(body));
      },
    },
  ]);
  const fault = await faultOf(clientOf(server).complete(question));
  expect(fault).toMatchObject({ fault: "malformed", message: expect.stringContaining("16777216") });
  expect(await server.requests[0]?.left).toBe(true);
});

it("reads an answer just below 16 MiB", async () => {
  const content = "x".repeat(16 * 1_024 * 1_024 - 1_000);
  await using server = await modelServer([{ body: completionBody({ content }) }]);
  expect((await clientOf(server).complete(question)).content).toHaveLength(content.length);
});

it.each([301, 302, 303, 307, 308])(
  "follows no redirect (%d), to which the key would travel",
  async (status) => {
    await using elsewhere = await modelServer([]);
    await using server = await modelServer([
      { status, headers: { location: elsewhere.url }, body: {} },
    ]);
    const fault = await faultOf(clientOf(server).complete(question));
    expect(fault).toMatchObject({ fault: "status", status });
    expect(fault.message).toContain("redirect");
    expect(server.requests).toHaveLength(1);
    expect(elsewhere.requests).toHaveLength(0);
  },
);

it.each([400, 401, 403, 404, 408, 409, 422])("does not ask again after %d", async (status) => {
  await using server = await modelServer([{ status, body: {} }]);
  const fault = await faultOf(clientOf(server).complete(question));
  expect(fault).toMatchObject({ fault: "status", status });
  expect(fault.message).toBe(`The model 'main' answered with status ${status}.`);
  expect(server.requests).toHaveLength(1);
});

it.each([
  ["x-request-id", "req-1", "req-1"],
  ["request-id", "req 2", "req 2"],
  ["nvcf-reqid", "a".repeat(128), "a".repeat(128)],
  ["x-request-id", "a".repeat(129), undefined],
  ["x-request-id", "é", undefined],
  ["other-id", "req-3", undefined],
])("takes the provider's id from %s: %s", async (header, id, taken) => {
  await using server = await modelServer([{ status: 400, headers: { [header]: id }, body: {} }]);
  const fault = await faultOf(clientOf(server).complete(question));
  expect(fault.providerRequestId).toBe(taken);
});

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
it.each([
  ["that begins with garbage", `${planted}\r\n\r\n`, "malformed"],
  ["with a broken header", `HTTP/1.1 200 OK\r\n${planted}\r\n\r\n`, "malformed"],
  ["whose headers never end", `${head}x-pad: ${"a".repeat(40_000)}\r\n\r\n`, "malformed"],
  [
    "with a broken chunk length",
    `${head}transfer-encoding: chunked\r\n\r\n${planted}\r\n`,
    "malformed",
  ],
  [
    "that is no gzip",
    `${head}content-encoding: gzip\r\ncontent-length: 9\r\n\r\nplainText`,
    "malformed",
  ],
  ["shorter than it says", `${head}content-length: 900\r\n\r\n{"a":"${planted}`, "network"],
  ["cut inside a chunk", `${head}transfer-encoding: chunked\r\n\r\n40\r\n{"a`, "network"],
])("tells the fault of an answer %s, and does not ask again", async (_, bytes, fault) => {
  await using server = await rawServer((socket) => void socket.end(bytes));
  const error = await faultOf(clientOf(server).complete(question));
  expect(error.fault).toBe(fault);
  expect(server.requests()).toBe(1);
});

it("does not ask again when the connection is reset inside the body", async () => {
  await using server = await rawServer((socket) => {
    socket.write(`${head}content-length: 900\r\n\r\n{"a`, () => socket.resetAndDestroy());
  });
  const error = await faultOf(clientOf(server).complete(question));
  expect(error).toMatchObject({ fault: "network" });
  expect(server.requests()).toBe(1);
});

it("names the system's code where nobody listens", async () => {
  const ports = testPorts({ random: () => 0 });
  const answer = faultOf(
    clientOf(await deadServer(), ports, { max_attempts: 1 }).complete(question),
  );
  const error = await answer;
  expect(error.fault).toBe("network");
  expect(error.message).toBe("The model 'main' cannot be reached (ECONNREFUSED).");
});

it.each([
  ["sends no head", undefined],
  ["stops inside the body", `${head}content-length: 900\r\n\r\n{"a`],
])("gives up when the time is over and a server %s, and does not ask again", async (_, bytes) => {
  let asked = false;
  let closed = false;
  await using server = await rawServer((socket) => {
    socket.on("close", () => {
      closed = true;
    });
    if (bytes === undefined) asked = true;
    else
      socket.write(bytes, () => {
        asked = true;
      });
  });
  const ports = testPorts();
  const answer = faultOf(clientOf(server, ports, { timeout: 2.5 }).complete(question));
  await until(() => asked);
  ports.clock.advance(2_499);
  await turn();
  expect(ports.clock.waiting()).toBe(1);
  ports.clock.advance(1);
  const error = await answer;
  expect(error).toMatchObject({ fault: "timeout" });
  expect(error.message).toBe("The model 'main' did not answer within 2.5 s.");
  await until(() => closed);
  expect(server.requests()).toBe(1);
  expect(ports.clock.waiting()).toBe(0);
});
