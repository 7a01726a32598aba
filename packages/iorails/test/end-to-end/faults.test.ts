import { completionChunk, type ModelReply } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/index.js";
import { all, question, scripted, streams, text, toolRails } from "./scripted.js";

const once = ["max_attempts: 1"];
const asked = { messages: [question] };
const secret = "sk-secret-of-the-provider";

/** Both ways of asking, as what comes of them. */
async function failing(reply: ModelReply | readonly ModelReply[], parameters: readonly string[]) {
  const engine = await scripted({ parameters, models: { m: reply } });
  const thrown = await engine.rails.generate(asked).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { engine, thrown };
}

describe("a model that fails", () => {
  it.each<[string, ModelReply, readonly string[], Readonly<Record<string, unknown>>]>([
    [
      "IO-132 is told of by its status",
      { status: 400, body: { error: { message: secret } } },
      once,
      { fault: "status", status: 400 },
    ],
    [
      "is told of where it has no capacity and says no time",
      { status: 429, body: secret },
      once,
      { fault: "status", status: 429 },
    ],
    [
      "is told of where it answers with a page",
      { body: `<html>${secret}` },
      once,
      { fault: "malformed" },
    ],
    [
      "is told of where it answers with other JSON",
      { body: { choices: [], note: secret } },
      once,
      { fault: "malformed" },
    ],
    [
      "is told of where it hangs up",
      { respond: (response) => void response.destroy() },
      once,
      { fault: "network" },
    ],
    [
      "is told of where it says nothing in time",
      { respond: () => {} },
      [...once, "timeout: 0.05"],
      { fault: "timeout" },
    ],
    [
      "is told of where it stops in the middle",
      { respond: (response) => void response.write('{"choices":[') },
      [...once, "timeout: 0.05"],
      { fault: "timeout" },
    ],
  ])("%s", async (_, reply, parameters, told) => {
    const { thrown } = await failing(reply, parameters);
    if (!ModelError.isInstance(thrown)) throw new Error("no model error was thrown");
    expect({ ...thrown, model: thrown.model, code: thrown.code }).toMatchObject({
      ...told,
      model: "main",
      code: "ERR_MODEL",
    });
    expect(`${thrown.message} ${JSON.stringify(thrown)} ${thrown.stack}`).not.toContain(secret);
  });

  it.each<[string, ModelReply, readonly string[]]>([
    ["IO-132 refuses", { status: 400, body: { error: { message: secret } } }, once],
    ["answers with a page", { body: `<html>${secret}` }, once],
    ["hangs up", { respond: (response) => void response.destroy() }, once],
    ["says nothing in time", { respond: () => {} }, [...once, "timeout: 0.05"]],
  ])("gives a stream one error and nothing else where it %s", async (_, reply, parameters) => {
    const engine = await scripted({ parameters, models: { m: reply } });
    const chunks = await all(engine.rails.stream(asked));
    expect(chunks).toMatchObject([
      { type: "error", error: { type: "generation_error", code: "generation_failed" } },
    ]);
    expect(JSON.stringify(chunks)).not.toContain(secret);
  });

  it("leaves the text standing that came before it reset the stream", async () => {
    const engine = await scripted({
      parameters: once,
      models: {
        m: {
          respond: (response) => {
            response.writeHead(200, { "content-type": "text/event-stream" });
            const first = `data: ${JSON.stringify(completionChunk({ content: "first" }))}\n\n`;
            response.write(first, () => response.destroy());
          },
        },
      },
    });
    const chunks = await all(engine.rails.stream(asked));
    expect(chunks.at(-1)?.type).toBe("error");
    expect(chunks.slice(0, -1).every(({ type }) => type === "text")).toBe(true);
  });

  it.each<[string, ModelReply]>([
    ["has no capacity for a moment", { status: 429, headers: { "retry-after": "0" }, body: "" }],
    ["fails for a moment", { status: 503, headers: { "retry-after": "0" }, body: "" }],
  ])("is asked again where it %s", async (_, first) => {
    const engine = await scripted({ models: { m: [first, text("18 degrees.")] } });
    expect((await engine.rails.generate(asked)).message.content).toBe("18 degrees.");
    expect(engine.order()).toEqual(["m", "m"]);
  });

  it("is not asked again where it wants to be left alone for longer than anyone waits", async () => {
    const { engine, thrown } = await failing(
      { status: 429, headers: { "retry-after": "3600" }, body: "" },
      [],
    );
    expect(thrown).toMatchObject({ fault: "status", status: 429 });
    expect(engine.order()).toEqual(["m"]);
  });

  it("is told of where nobody listens", async () => {
    const engine = await scripted({ parameters: once });
    await engine.server.close();
    await expect(engine.rails.generate(asked)).rejects.toMatchObject({ fault: "network" });
  });

  it("fails one request and not those after it", async () => {
    const engine = await scripted({
      parameters: once,
      models: { m: [{ status: 500, body: "" }, text("18 degrees.")] },
    });
    await expect(engine.rails.generate(asked)).rejects.toThrow();
    expect((await engine.rails.generate(asked)).status).toBe("passed");
  });
});

describe("a client that leaves", () => {
  it("ends a stream and the request behind it by not reading on", async () => {
    async function* endless() {
      for (;;) {
        yield completionChunk({ content: "more " });
        await new Promise(setImmediate);
      }
    }
    const engine = await scripted({ models: { m: { events: endless() } } });
    for await (const chunk of engine.rails.stream(asked)) {
      expect(chunk.type).toBe("text");
      break;
    }
    expect(await engine.server.requests[0]?.left).toBe(true);
  });

  it("ends the request by its signal", async () => {
    const controller = new AbortController();
    const engine = await scripted({ models: { m: { respond: () => controller.abort() } } });
    await expect(
      engine.rails.generate({ ...asked, signal: controller.signal }),
    ).rejects.toMatchObject({ code: "ERR_ABORTED" });
    expect(await engine.server.requests[0]?.left).toBe(true);
  });

  it("asks nothing where it has left before", async () => {
    const engine = await scripted();
    const signal = AbortSignal.abort();
    await expect(engine.rails.generate({ ...asked, signal })).rejects.toThrow();
    expect(engine.order()).toEqual([]);
  });

  it("makes room for others: a hundred that left leave the engine as it was", async () => {
    const engine = await scripted({
      models: { m: streams("a", "b", "c", "d") },
      options: { maxStreams: 2 },
    });
    for (let round = 0; round < 100; round++) {
      for await (const _chunk of engine.rails.stream(asked)) break;
    }
    expect(await all(engine.rails.stream(asked))).toHaveLength(4);
  });
});

describe("an engine that is full", () => {
  it("turns the next away at once, and takes it when there is room again", async () => {
    let free = () => {};
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    const slow: ModelReply = {
      respond: async (response) => {
        await held;
        response.end(JSON.stringify((text("18 degrees.") as { readonly body: unknown }).body));
      },
    };
    const engine = await scripted({
      models: { m: slow },
      options: { maxRequests: 1, maxQueued: 1 },
    });
    const first = engine.rails.generate(asked);
    const queued = engine.rails.generate(asked);
    await expect(engine.rails.generate(asked)).rejects.toMatchObject({ code: "ERR_BUSY" });
    free();
    expect((await Promise.all([first, queued])).map(({ status }) => status)).toEqual([
      "passed",
      "passed",
    ]);
    expect((await engine.rails.generate(asked)).status).toBe("passed");
  });
});

describe("an engine that is closed", () => {
  it("takes no more requests", async () => {
    const engine = await scripted({ yaml: toolRails });
    await engine.rails.close();
    await expect(engine.rails.generate(asked)).rejects.toThrow();
    expect(engine.order()).toEqual([]);
  });
});
