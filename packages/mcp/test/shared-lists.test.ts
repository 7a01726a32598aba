import { allow, allowAll, type ToolCall } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { heapUsed } from "@toolstile/testing/heap";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DefinitionPins, McpWorkbench, memoryPins } from "../src/index.js";
import { readMessage } from "../src/message/read-message.js";
import { readListAnswer } from "../src/tools/known-answers.js";
import { ListedPage } from "../src/tools/listed-page.js";
import { ToolList } from "../src/tools/tool-list.js";
import { PlayedServer } from "./support/played-server.js";
import { call, listed, request, Wire } from "./support/wire.js";

const most = 16 * 1_024 * 1_024;
const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;
const many = (count: number, mark = "") =>
  Array.from({ length: count }, (_, at) => listed(`t${at}`, { title: `${at}${mark}` }));
const listOf = (...pages: unknown[][]) => ToolList.of(pages.map((page) => ListedPage.of(page)));

describe("a list of tools that several are given", () => {
  it("is one object for equal lists, in whatever order, on whatever pages, with keys in whatever order", () => {
    const tools = many(4);
    const list = listOf(tools);
    expect(listOf(copy(tools))).toBe(list);
    expect(listOf(copy(tools).reverse())).toBe(list);
    expect(listOf(copy(tools.slice(0, 2)), copy(tools.slice(1)))).toBe(list);
    const turned = tools.map((tool) => Object.fromEntries(Object.entries(tool).reverse()));
    expect(listOf(turned)).toBe(list);
  });

  it("is another for a list that differs anywhere", () => {
    const tools = many(3);
    const list = listOf(tools);
    for (const other of [many(2), many(4), many(3, "x"), [...copy(tools), listed("t0")]]) {
      expect(listOf(other)).not.toBe(list);
    }
  });

  it("is not another's where their digests are equal", () => {
    const alike = () => "the same digest for everything";
    const [one, other] = [many(2, "one"), many(2, "other")];
    const pages = [one, other].map((tools) => ListedPage.of(tools, alike));
    expect(pages.map(({ entries }) => entries)).toEqual([one, other]);
    const lists = pages.map((page) => ToolList.of([page], alike));
    expect(lists.map(({ tools }) => tools.map(({ definition }) => definition))).toEqual([
      one,
      other,
    ]);
    const texts = [one, other].map(
      (tools) =>
        `{"jsonrpc":"2.0","id":1,"result":${JSON.stringify({ tools, more: "x".repeat(3_000) })}}`,
    );
    for (const text of texts) {
      expect(readListAnswer(Buffer.from(text), most, alike)).toEqual(
        readMessage(Buffer.from(text), most),
      );
    }
  });

  it("P6 cannot be changed by anybody who holds it", () => {
    const given = many(1);
    const { definitions, tools } = listOf(given);
    (given[0] as Record<string, unknown>)["title"] = "hunter2";
    expect(JSON.stringify(tools)).not.toContain("hunter2");
    expect(() => Object.assign(tools[0]?.definition ?? {}, { title: "x" })).toThrow(TypeError);
    expect(() => Object.assign(definitions[0] ?? {}, { name: "x" })).toThrow(TypeError);
    expect(() => (definitions as unknown[]).push({})).toThrow(TypeError);
  });

  it("P17 goes with the last who holds it", async () => {
    let lists: ToolList[] = [];
    const before = heapUsed();
    for (let at = 0; at < 20; at++) lists.push(listOf(many(500, `${at} ${"x".repeat(200)}`)));
    const held = heapUsed() - before;
    expect(new Set(lists).size).toBe(20);
    lists = [];
    await expect.poll(() => heapUsed() - before, { timeout: 20_000 }).toBeLessThan(held / 5);
  });

  it("P17 weighs a further connection with the same list little", async () => {
    const tools = many(500, "x".repeat(200));
    const connect = async () => {
      const wire = new Wire({ guardrails: [allowAll()] });
      await wire.exchange(request(1, "tools/list"), { tools: copy(tools) });
      wire.client.length = 0;
      wire.pages = [];
      return wire.connection;
    };
    const first = await connect();
    expect(first.definition("t1")).toBe((await connect()).definition("t1"));
  });

  it("shows each of two sessions its own list, and lets it call no other's tools", async () => {
    const guardrails = [allowAll()];
    const ann = new Wire({ guardrails }, [listed("read"), listed("pay")]);
    const bob = new Wire({ guardrails }, [listed("read")]);
    for (const wire of [ann, bob]) {
      const tools = copy(wire.pages[0]);
      const told = await wire.exchange(request(1, "tools/list"), { tools });
      expect(told.result).toEqual({ tools });
    }
    await ann.forwarded(call(2, "pay"));
    expect((await bob.refused(call(2, "pay"))).result).toMatchObject({ isError: true });
    expect(bob.connection.definition("pay")).toBeUndefined();
  });

  it("changes no verdict: guards see the session's own definition, whoever was given another before", async () => {
    const seen: unknown[] = [];
    const guard = {
      name: "g",
      evaluate: ({ tool }: ToolCall) => {
        seen.push(tool?.description);
        return allow();
      },
    };
    const tools = ["one", "two", "one"].map((description) => listed("send", { description }));
    for (const tool of tools) {
      await new Wire({ guardrails: [guard], hideDenied: false }, [tool]).forwarded(call(1, "send"));
    }
    expect(seen).toEqual(["one", "two", "one"]);
  });
});

describe("an answer that brings a list", () => {
  const body = { tools: many(60), nextCursor: "2" };
  const styles: ((id: string) => string)[] = [
    (id) => `{"result":${JSON.stringify(body)},"jsonrpc":"2.0","id":${id}}`,
    (id) => `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(body)}}`,
    (id) => `{"id":${id},"result":${JSON.stringify(body)},"jsonrpc":"2.0"}`,
    (id) => `{"jsonrpc": "2.0", "id": ${id}, "result": ${JSON.stringify(body)}}`,
  ];
  const read = (text: string) => readListAnswer(Buffer.from(text), most);

  it("is read as every message is, whichever was read before it", () => {
    const id = fc.oneof(
      fc.integer().map(String),
      fc.constantFrom(
        '"a"',
        '"a-1"',
        '"\\u0061"',
        '"a\\"b"',
        "007",
        "1.5",
        "1e3",
        "-0",
        "null",
        "{}",
      ),
      fc.string().map((text) => JSON.stringify(text)),
    );
    const end = fc.constantFrom("", "", "", " ", "x", ',"id":1}', '{"id":2}');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), id, end), { maxLength: 12 }), (texts) => {
        for (const [style, id, end] of texts) {
          const text = `${styles[style]?.(id)}${end}`;
          expect(read(text)).toEqual(readMessage(Buffer.from(text), most));
        }
      }),
      { numRuns: 50 },
    );
  });

  it("is not taken for a known one where a byte beside the id differs, or what looks like the id is in a text", () => {
    for (const style of styles) {
      const known = style("1");
      read(known);
      for (const at of [40, known.length >> 1, known.length - 40]) {
        const other = `${known.slice(0, at)}\u0000${known.slice(at + 1)}`;
        expect(read(other)).toEqual(readMessage(Buffer.from(other), most));
      }
    }
    const inText = (words: string) =>
      `{"jsonrpc":"2.0","result":${JSON.stringify({ ...body, more: words })},"id":5}`;
    for (const words of [',"id":1}', '{"jsonrpc":"2.0","id":1,']) {
      expect(read(inText(words))).toEqual(readMessage(Buffer.from(inText(words)), most));
    }
    const twice = `{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(body)},"id":2}`;
    expect(read(twice)).toMatchObject({ ok: false });
    expect(read(twice)).toMatchObject({ ok: false });
  });

  it("brings the same page to all who are given it", () => {
    const [one, other] = ["1", '"b"'].map((id) => read(styles[0]?.(id) ?? ""));
    const toolsOf = (reading: typeof one) =>
      reading?.ok === true ? (reading.message.result as { tools: unknown }).tools : undefined;
    expect(toolsOf(one)).toBeDefined();
    expect(toolsOf(other)).toBe(toolsOf(one));
  });
});

describe("a call of a tool that is not on the list", () => {
  it("P17 reads the list once, and again when it may have changed", async () => {
    const clock = fakeClock();
    const wire = new Wire({ guardrails: [allowAll()], clock });
    for (let id = 0; id < 50; id++) await wire.refused(call(id, `made_up_${id}`));
    expect(wire.privateLists).toHaveLength(1);
    clock.advance(5_000);
    await wire.refused(call(50, "made_up"));
    expect(wire.privateLists).toHaveLength(2);
    wire.pages = [[listed("made_up")]];
    wire.connection.fromServer({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    await wire.forwarded(call(51, "made_up"));
    expect(wire.privateLists).toHaveLength(3);
  });

  it("reads it each time where the host's clock tells no time", async () => {
    const now = (): number => {
      throw new Error("no time");
    };
    const wire = new Wire({ guardrails: [allowAll()], clock: { ...fakeClock(), now } });
    for (const id of [1, 2]) await wire.refused(call(id, "made_up"));
    expect(wire.privateLists).toHaveLength(2);
  });

  it("P17 of one that is withheld holds it to its pins again, and asks the server for nothing", async () => {
    const pins = new DefinitionPins({ store: memoryPins(), trust: "approved-only" });
    const wire = new Wire({ guardrails: [allowAll()], pins, serverName: "s" });
    for (let id = 0; id < 10; id++) await wire.refused(call(id, "send"));
    expect(wire.privateLists).toHaveLength(1);
    const seen = (await pins.list()).find(({ tool }) => tool === "send")?.seen ?? "";
    await pins.approve("s", "send", seen);
    await wire.forwarded(call(11, "send"));
    expect(wire.privateLists).toHaveLength(1);
  });

  it("P17 reads it once through a workbench too, and a host that asks for it gets the present one", async () => {
    const server = new PlayedServer([listed("send")]);
    const bench = McpWorkbench.over(await server.client(), {
      guards: { guardrails: [allowAll()], unchecked: true },
    });
    for (let at = 0; at < 20; at++) {
      expect(await bench.callTool(`made_up_${at}`)).toMatchObject({ isError: true });
    }
    expect(server.lists).toBe(1);
    server.tools = [listed("send"), listed("further")];
    expect((await bench.listTools()).map(({ name }) => name)).toEqual(["send", "further"]);
    await bench.close();
  });
});
