import { once } from "node:events";
import { PassThrough } from "node:stream";
import { allow, allowAll, type GuardrailProvider, modify, rewrite } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { GuardedConnection, type GuardedConnectionOptions } from "../../src/index.js";
import type { DescribedExchange } from "../../src/proxy/options.js";
import { StdioRelay } from "../../src/proxy/stdio/relay.js";
import { answer, call, listed, text } from "../support/wire.js";

/** A relay between streams that the test holds the other ends of. */
function relayed(
  options: Partial<GuardedConnectionOptions> = {},
  encoding: BufferEncoding = "utf8",
) {
  const stream = () => new PassThrough({ defaultEncoding: encoding });
  const client = { input: stream(), output: stream() };
  const server = { input: stream(), output: stream() };
  const connections: GuardedConnection[] = [];
  const relay = new StdioRelay({
    connect: (ports, sessionId) => {
      const guarded = { guardrails: [allowAll()], unchecked: true, ...options };
      const extraOf = (extra: unknown) => (extra as DescribedExchange).facts;
      const transport = { sessionId, extraOf, ownsMessages: true };
      const connection = new GuardedConnection(guarded, ports, transport);
      connections.push(connection);
      return connection;
    },
    sessionId: "s",
    client,
    server,
    maxMessageBytes: 64 * 1_024 * 1_024,
    onRefused: () => {},
    report: () => {},
    onClientEnded: () => {},
  });
  /** The next line on a stream, as bytes. */
  const line = async (from: PassThrough): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for (;;) {
      const chunk = from.read() as Buffer | null;
      if (chunk === null) {
        await once(from, "readable");
        continue;
      }
      const end = chunk.indexOf(10);
      if (end < 0) {
        chunks.push(chunk);
        continue;
      }
      if (end + 1 < chunk.length) from.unshift(chunk.subarray(end + 1));
      return Buffer.concat([...chunks, chunk.subarray(0, end)]);
    }
  };
  const write = (to: PassThrough, message: object): void =>
    void to.write(`${JSON.stringify(message)}\n`, "utf8");
  /** Have the server answer the list that the connection asks for. */
  const list = async (): Promise<void> => {
    const { id } = JSON.parse(String(await line(server.input)));
    write(server.output, answer(id, { tools: [listed("send")] }));
  };
  return { relay, client, server, connections, line, write, list };
}

const odd = "ü \u{1f600} \u2028 \0 \ufeff 漢";

describe("the relay of a stdio proxy", () => {
  it.each<BufferEncoding>(["utf8", "latin1", "utf16le", "base64"])(
    "P6 writes calls and results as UTF-8, whatever encoding a stream has by default: %s",
    async (encoding) => {
      const guards: GuardrailProvider = {
        name: "g",
        evaluate: () => modify({ to: odd }),
        evaluateResult: () => rewrite({ content: `${odd}\ud800` }),
      };
      const { client, server, line, write, list } = relayed({ guardrails: [guards] }, encoding);
      write(client.input, call(1, "send", { to: "ada" }));
      await list();
      const sent = await line(server.input);
      expect(sent).toEqual(Buffer.from(JSON.stringify(call(1, "send", { to: odd }))));
      write(server.output, answer(1, { content: [] }));
      const told = await line(client.output);
      const rewritten = answer(1, { content: [text(`${odd}\ud800`)] });
      expect(told).toEqual(Buffer.from(JSON.stringify(rewritten)));
    },
  );

  it.each([
    ["white space", '{"to": "ada"}', { to: "ada" }],
    ["an escape", '{"to":"\\u0061da"}', { to: "ada" }],
    ["an escape in a name", '{"t\\u006f":"ada"}', { to: "ada" }],
    ["digits that round", '{"n":0.1000000000000000000001}', { n: 0.1 }],
    ["an exponent", '{"n":1e2}', { n: 100 }],
    ["a zero with a sign", '{"n":-0}', { n: 0 }],
    ["arguments as text", '"{\\"to\\":\\"ada\\"}"', { to: "ada" }],
    ["null for arguments", "null", {}],
    ["what a guard changes", '{"to":"eve"}', { to: "ada" }],
  ])("P6 writes a call anew where the client's bytes have %s", async (_, written, judged) => {
    const guard: GuardrailProvider = {
      name: "g",
      evaluate: ({ args }) => (args["to"] === "eve" ? modify({ to: "ada" }) : allow()),
    };
    const { client, server, line, list } = relayed({ guardrails: [guard] });
    const sent = JSON.stringify(call(1, "send", "?" as never)).replace('"?"', written);
    client.input.write(`${sent}\n`);
    await list();
    expect(String(await line(server.input))).toBe(JSON.stringify(call(1, "send", judged)));
  });

  it("carries messages of ten million bytes that were rewritten, and those between them, in order", {
    tags: "long",
  }, async () => {
    const long = "漢é".repeat(2_000_000);
    const guard: GuardrailProvider = {
      name: "g",
      evaluate: ({ args }) => modify({ ...args, a: 1 }),
    };
    const { client, server, line, write, list } = relayed({ guardrails: [guard] });
    write(client.input, call(1, "send", {}));
    await list();
    await line(server.input);
    for (const id of [2, 3]) {
      const asked = call(id, "send", { long: "é".repeat(400_000) });
      write(client.input, asked);
      const sent = JSON.parse(String(await line(server.input)));
      expect(sent.params.arguments).toEqual({ ...Object(asked.params).arguments, a: 1 });
      write(server.output, answer(id, { content: [text(long)] }));
      expect(JSON.parse(String(await line(client.output)))).toEqual(
        answer(id, { content: [text(long)] }),
      );
    }
  });

  it("waits no more for the answer to what was cancelled", async () => {
    const { relay, client, server, connections, line, write, list } = relayed();
    const awaits = () => connections[0]?.awaits(1);
    write(client.input, call(1, "send"));
    await list();
    await line(server.input);
    expect(awaits()).toBe(true);
    write(client.input, {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    });
    await line(server.input);
    expect(awaits()).toBe(false);
    await relay.close();
    expect(client.output.read()).toBeNull();
  });
});
