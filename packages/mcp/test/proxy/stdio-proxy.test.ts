import { once } from "node:events";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { allow, allowAll, deny, type GuardrailProvider, modify } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type StdioProxyOptions, startStdioProxy } from "../../src/proxy/index.js";
import type { StdioProxy } from "../../src/proxy/stdio/server-process.js";

const script = fileURLToPath(new URL("../support/line-server.mjs", import.meta.url));
const running: StdioProxy[] = [];
afterEach(async () => {
  for (const proxy of running.splice(0)) {
    proxy.kill("SIGKILL");
    await proxy.exited;
  }
});

/** A proxy in front of the server of `line-server.mjs`, and the client's two ends. */
async function started(options: Partial<StdioProxyOptions> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const refused: string[] = [];
  const proxy = await startStdioProxy({
    command: process.execPath,
    args: [script],
    guardrails: [allowAll()],
    unchecked: true,
    passMethods: [
      ...["x/y", "notifications/x", "notifications/left", "n", "x"],
      ...["write", "exit", "die", "silent", "ended"],
    ],
    input,
    output,
    onRefused: (from, reason) => refused.push(`${from}: ${reason}`),
    ...options,
  });
  running.push(proxy);
  let read = "";
  const lines = async (count: number): Promise<string[]> => {
    if (output.listenerCount("data") === 0) output.on("data", (chunk) => (read += String(chunk)));
    while (read.split("\n").length <= count) await once(output, "data");
    return read.split("\n").slice(0, count);
  };
  const write = (text: string | Buffer): void => void input.write(text);
  const message = (more: object): void => write(`${JSON.stringify({ jsonrpc: "2.0", ...more })}\n`);
  const call = (id: number, name = "one", args: object = {}): void =>
    message({ id, method: "tools/call", params: { name, arguments: args } });
  return { proxy, input, output, refused, lines, write, message, call };
}

const lineOf = (text: string | undefined): string => JSON.parse(text ?? "{}").result?.line;

describe("the stdio proxy", () => {
  it("passes on what is not judged as the same bytes, wherever they were cut", async () => {
    const { write, lines } = await started();
    const odd = '{ "id" : "é" ,"method":"x/y", "jsonrpc":"2.0","params":{"n":1.50e1} }';
    const bytes = Buffer.from(`${odd}\r\n`);
    for (const byte of bytes) write(Buffer.from([byte]));
    const [line] = await lines(1);
    expect(lineOf(line)).toBe(odd);
    const said =
      '{"jsonrpc": "2.0","method":"notifications/x", "params":{"n":12345678901234567890}}';
    write(
      `${JSON.stringify({ jsonrpc: "2.0", method: "write", params: { text: `${said}\n` } })}\n`,
    );
    expect((await lines(2))[1]).toBe(said);
  });

  it("P6 passes a call on as it was judged, and its answer as the server wrote it", async () => {
    const guard: GuardrailProvider = { name: "g", evaluate: () => modify({ to: "bob" }) };
    const { call, lines } = await started({ guardrails: [guard] });
    call(1, "one", { to: "ada" });
    const [line] = await lines(1);
    expect(JSON.parse(lineOf(line))).toMatchObject({ id: 1, params: { arguments: { to: "bob" } } });
  });

  it("answers a call that is denied, and the server does not hear of it", async () => {
    const guard: GuardrailProvider = { name: "g", evaluate: () => deny("not today") };
    const { call, message, lines } = await started({ guardrails: [guard] });
    call(1);
    message({ id: 2, method: "ping" });
    const answers = (await lines(2)).map((line) => JSON.parse(line));
    expect(answers.find(({ id }) => id === 1).result).toMatchObject({ isError: true });
    expect(lineOf(JSON.stringify(answers.find(({ id }) => id === 2)))).toContain('"ping"');
  });

  it("P6 refuses a call that means two things, answers it, and goes on", async () => {
    const { write, lines, refused, message } = await started();
    const params = '{"name":"one","arguments":{"to":"ada","to":"bob"}}';
    write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}\n`);
    write(`{"x":\r{"jsonrpc":"2.0","id":2,"method":"tools/call","params":${params}}\r}\n`);
    write("not JSON\n\n");
    message({ id: 3, method: "ping" });
    const answers = (await lines(4)).map((line) => JSON.parse(line));
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, -32_600],
      [null, -32_700],
      [null, -32_700],
      [3, undefined],
    ]);
    expect(refused).toHaveLength(3);
  });

  it.each<[string, () => void]>([
    [
      "throws",
      () => {
        throw new Error("hunter2");
      },
    ],
    ["rejects", (() => Promise.reject(new Error("hunter2"))) as () => void],
  ])(
    "answers what it refuses, and goes on, where the host's onRefused %s",
    async (_, onRefused) => {
      const { message, write, lines } = await started({ onRefused });
      write("not JSON\n");
      message({ id: 1, method: "ping" });
      const [first, second] = await lines(2);
      expect(JSON.parse(first as string)).toMatchObject({ id: null, error: { code: -32_700 } });
      expect(lineOf(second)).toContain("ping");
    },
  );

  it("answers a message that is too long with an error, and goes on", async () => {
    const { message, lines } = await started({ maxMessageBytes: 2_000 });
    message({ id: 1, method: "ping", params: { x: "x".repeat(5_000) } });
    message({ id: 2, method: "ping" });
    const [first, second] = await lines(2);
    expect(JSON.parse(first as string)).toMatchObject({ id: 1, error: { code: -32_600 } });
    expect(lineOf(second)).toContain("ping");
  });

  it("never passes on what the server writes that is not JSON, not UTF-8 or too long", async () => {
    const { message, lines, refused } = await started({ maxMessageBytes: 2_000 });
    for (const text of [
      "a log line\n",
      "\ud800\n",
      '{"jsonrpc":"2.0","id":9,"result":{"a":1,"a":2}}\n',
    ])
      message({ method: "write", params: { text } });
    message({ id: 1, method: "ping", params: { x: '"'.repeat(900) } });
    message({ id: 2, method: "ping" });
    const answers = (await lines(2)).map((line) => JSON.parse(line));
    expect(answers[0]).toMatchObject({ id: 1, error: { code: -32_000 } });
    expect(answers[1].id).toBe(2);
    expect(refused).toHaveLength(4);
  });

  it("loses nothing when the client ends its input while a call is being judged", async () => {
    let decide: () => void = () => {};
    const decided = new Promise<void>((resolve) => {
      decide = resolve;
    });
    const guard: GuardrailProvider = {
      name: "slow",
      evaluate: async () => {
        await decided;
        return allow();
      },
    };
    const { call, input, lines, proxy } = await started({ guardrails: [guard] });
    call(1);
    input.end();
    await once(input, "end");
    decide();
    // A notification may overtake the answer before it, which is judged.
    const said = (await lines(2)).map((line) => JSON.parse(line));
    expect(said.map(({ id, method }) => id ?? method).sort()).toEqual([1, "ended"]);
    expect(await proxy.exited).toEqual({ code: 0, signal: null });
  });

  it("gives all that the server said before it ended, also where the client reads late", async () => {
    const { message, input, output, proxy } = await started();
    const text = `${JSON.stringify({ jsonrpc: "2.0", method: "n", params: "x".repeat(1_000) })}\n`;
    for (let count = 0; count < 500; count++) message({ method: "write", params: { text } });
    input.end();
    let read = 0;
    for await (const chunk of output.iterator({ destroyOnReturn: false })) {
      read += chunk.length;
      if (read > text.length * 500) break;
    }
    expect(read).toBe(text.length * 500 + '{"jsonrpc":"2.0","method":"ended"}\n'.length);
    await proxy.exited;
  });

  it("holds a server back whose client does not read", async () => {
    const { message, output, proxy } = await started();
    const text = `${JSON.stringify({ jsonrpc: "2.0", method: "n", params: "x".repeat(10_000) })}\n`;
    for (let count = 0; count < 400; count++) message({ method: "write", params: { text } });
    message({ id: 1, method: "ping" });
    while (!output.writableNeedDrain) await new Promise(setImmediate);
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
    // One chunk of the pipe and what a stream holds, of four megabytes.
    expect(output.writableLength + output.readableLength).toBeLessThan(500_000);
    output.resume();
    proxy.kill("SIGKILL");
  });

  it("answers what is open when the server ends, and says how it ended", async () => {
    const { call, message, lines, proxy } = await started();
    call(1, "two");
    message({ id: 2, method: "silent" });
    message({ method: "exit", params: { code: 7 } });
    const answers = (await lines(2)).map((line) => JSON.parse(line));
    expect(answers.map(({ id, error }) => [id, error?.message]).sort()).toEqual([
      [1, "The MCP server has ended."],
      [2, "The MCP server has ended."],
    ]);
    expect(await proxy.exited).toEqual({ code: 7, signal: null });
  });

  it("passes signals on, and says which one ended the server", async () => {
    const { proxy } = await started();
    proxy.kill("SIGTERM");
    expect(await proxy.exited).toEqual({ code: null, signal: "SIGTERM" });
    const other = await started();
    other.message({ method: "die", params: { signal: "SIGKILL" } });
    expect(await other.proxy.exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("ends at a signal where the server has ended, and left a process that holds its output open", async () => {
    const left = `
      const said = { jsonrpc: "2.0", method: "notifications/left", params: { pid: process.pid } };
      const isLeft = () => process.ppid !== Number(process.argv[1]);
      const look = () => isLeft() ? console.log(JSON.stringify(said)) : setTimeout(look, 5);
      look();
      setTimeout(() => {}, 60_000);`;
    const server = `
      const stdio = ["ignore", "inherit", "ignore"];
      const args = ["-e", ${JSON.stringify(left)}, String(process.pid)];
      require("node:child_process").spawn(process.execPath, args, { stdio });
      process.exit(3);`;
    const { proxy, lines } = await started({ args: ["-e", server] });
    const [line] = await lines(1);
    proxy.kill("SIGTERM");
    expect(await proxy.exited).toEqual({ code: 3, signal: null });
    process.kill(JSON.parse(line ?? "").params.pid);
  });

  it("ends the server's input once the client reads no more", async () => {
    const { proxy, output, call, lines } = await started();
    // A server that has not begun to read could not end by itself in time.
    call(1);
    await lines(1);
    output.destroy(new Error("EPIPE"));
    expect(await proxy.exited).toEqual({ code: 0, signal: null });
  });

  it.each([
    [{ command: "/no/such/command" }, "ERR_CONFIG", "the command was not found"],
    [{ command: "" }, "ERR_INVALID_OPTION", "'command' must be the program to start"],
    [{ maxMessageBytes: 0 }, "ERR_INVALID_OPTION", "'maxMessageBytes' must be a whole number"],
    [{ guardrail: [] }, "ERR_UNKNOWN_OPTION", "Did you mean 'guardrails'?"],
    [{ guardrails: "all" }, "ERR_INVALID_OPTION", ""],
  ])("P5 refuses %j, and says why", async (options, code, message) => {
    const asked = started(options as unknown as Partial<StdioProxyOptions>);
    await expect(asked).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

describe("a stdio server that ignores the end of its input", () => {
  const deaf = ["-e", "process.stdin.resume(); setInterval(() => {}, 1000)"];
  const mute = [
    "-e",
    'process.stdin.resume(); process.on(\'SIGTERM\', () => {}); setInterval(() => {}, 1000); console.log(\'{"jsonrpc":"2.0","method":"notifications/message"}\')',
  ];

  it.each(["ends its input", "breaks off"])(
    "is ended some time after its client %s",
    async (how) => {
      const clock = fakeClock();
      const { proxy, input, output } = await started({ args: deaf, clock });
      output.destroy();
      if (how === "breaks off") input.destroy();
      else input.end();
      await once(input, "close");
      clock.advance(1_500);
      expect(await proxy.exited).toEqual({ code: null, signal: "SIGTERM" });
    },
  );

  it("is killed where it ignores the signal, too", async () => {
    const clock = fakeClock();
    const { proxy, input, lines } = await started({ args: mute, clock });
    await lines(1);
    input.end();
    await once(input, "close");
    clock.advance(1_500);
    clock.advance(1_500);
    expect(await proxy.exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("has its time for what the client still waits for", async () => {
    const clock = fakeClock();
    const { proxy, input, message } = await started({ args: deaf, clock, callTimeoutMs: 10_000 });
    message({ id: 1, method: "ping" });
    input.end();
    await once(input, "close");
    let hasEnded = false;
    void proxy.exited.then(() => {
      hasEnded = true;
    });
    clock.advance(11_400);
    expect(hasEnded).toBe(false);
    clock.advance(100);
    expect(await proxy.exited).toEqual({ code: null, signal: "SIGTERM" });
  });
});

describe("a byte order mark on a line", () => {
  it("is not passed on, and what follows it is", async () => {
    const { write, lines, message } = await started();
    const odd = '{"id":1,"method":"x/y","jsonrpc":"2.0"}';
    write(`\uFEFF${odd}\n`);
    const [line] = await lines(1);
    expect(lineOf(line)).toBe(odd);
    const said = '{"jsonrpc":"2.0","method":"notifications/x"}';
    message({ method: "write", params: { text: `\uFEFF${said}\n` } });
    expect((await lines(2))[1]).toBe(said);
  });
});
