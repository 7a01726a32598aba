import { allowAll, deny, modify, rewrite } from "@toolstile/core";
import { schemaValidation } from "@toolstile/schema";
import { afterEach, describe, expect, it } from "vitest";
import { type DescribedRequest, type GuardedConnectionOptions, guardServer } from "../src/index.js";
import { type Deferred, deferred } from "./support/deferred.js";
import { lines, type ServerState, type TestClient, type TestServer } from "./support/sdk-lines.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe.each(lines)("a guarded server, $name", (line) => {
  async function connected(
    options: GuardedConnectionOptions,
  ): Promise<
    ServerState & { client: TestClient; server: TestServer; entered: Deferred<AbortSignal> }
  > {
    const entered = deferred<AbortSignal>();
    const state = { ran: [], waits: entered.resolve, entered };
    const server = guardServer(line.server(state), { unchecked: true, ...options });
    const client = line.client();
    const [near, far] = line.pair();
    await server.connect(far);
    await client.connect(near);
    closing.push(() => client.close());
    return { ...state, client, server };
  }
  const send = { name: "send", arguments: { to: "ada" } };

  it("answers as it would without guards, where they allow", async () => {
    const { client } = await connected({ guardrails: [allowAll()] });
    const bare = line.client();
    const [near, far] = line.pair();
    await line.server({ ran: [], waits: () => {} }).connect(far);
    await bare.connect(near);
    closing.push(() => bare.close());
    for (const name of ["send", "count", "fail"]) {
      const asked = { ...send, name };
      expect(await client.callTool(asked)).toEqual(await bare.callTool(asked));
    }
    expect((await client.listTools()).tools).toEqual((await bare.listTools()).tools);
  });

  it("denies, rewrites and withholds, and runs no tool that was denied", async () => {
    const { client, ran } = await connected({
      guardrails: [
        {
          name: "g",
          evaluate: ({ toolName, args }) =>
            toolName === "count" ? deny("no counting") : modify({ ...args, to: "bob" }),
          evaluateResult: () => rewrite({ content: "done" }),
        },
      ],
      hideDenied: false,
    });
    expect(await client.callTool({ ...send, name: "count" })).toMatchObject({
      content: [{ type: "text", text: "Tool call denied: no counting" }],
      isError: true,
    });
    expect(await client.callTool(send)).toMatchObject({
      content: [{ type: "text", text: "done" }],
    });
    expect(ran).toEqual([{ to: "bob" }]);
  });

  it("tells the client of wrong arguments before its own schema is asked", async () => {
    const { client, ran } = await connected({
      guardrails: [schemaValidation(), allowAll()],
      unchecked: false,
    });
    expect(await client.callTool({ name: "send", arguments: { to: 7 } })).toMatchObject({
      content: [{ type: "text", text: expect.stringContaining("do not match its schema") }],
      isError: true,
    });
    expect(ran).toEqual([]);
  });

  it("judges a tool that is registered later by its own definition", async () => {
    const seen: unknown[] = [];
    const { client, server } = await connected({
      guardrails: [
        {
          name: "g",
          register: ({ name }) => void seen.push(name),
          evaluate: ({ tool }) => deny(`is ${tool?.description}`),
        },
      ],
      hideDenied: false,
    });
    await client.callTool(send);
    expect(seen).not.toContain("late");
    // biome-ignore lint/suspicious/noExplicitAny: the two lines' registerTool() have no type in common.
    (server as any).registerTool("late", { description: "late" }, () => ({ content: [] }));
    server.sendToolListChanged();
    expect(await client.callTool({ name: "late" })).toMatchObject({
      content: [{ type: "text", text: "Tool call denied: is late" }],
    });
    expect(seen).toContain("late");
  });

  it("P6 is asked what the host knows, by what the transport says of a request", async () => {
    const asked: DescribedRequest[] = [];
    const { client } = await connected({
      guardrails: [{ name: "g", evaluate: ({ context }) => deny(`for ${context.principal}`) }],
      describe: (request) => {
        asked.push(request);
        return { context: { principal: "ann" } };
      },
    });
    expect(await client.callTool(send)).toMatchObject({
      content: [{ type: "text", text: "Tool call denied: for ann" }],
    });
    expect(asked[0]?.params).toMatchObject(send);
  });

  it("P5 is refused once it is connected, and options with a slip are refused at once", async () => {
    const { server } = await connected({ guardrails: [allowAll()] });
    const wrong = expect.objectContaining({ code: "ERR_INVALID_OPTION" });
    expect(() => guardServer(server, { guardrails: [allowAll()] })).toThrowError(wrong);
    const options = { guardrails: [allowAll()], callTimeout: 5 } as GuardedConnectionOptions;
    const fresh = line.server({ ran: [], waits: () => {} });
    expect(() => guardServer(fresh, options)).toThrowError(/callTimeoutMs/);
  });
});
