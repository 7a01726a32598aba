import { allowAll } from "@toolstile/core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contradictsArguments, decoded, paramHeaders } from "../../src/message/param-headers.js";
import { answer, answerJson, HttpWire } from "../support/http-wire.js";

let wire: HttpWire;
beforeEach(async () => {
  wire = await HttpWire.open({ guardrails: [allowAll()] });
  wire.play = ({ body }, response) => answerJson(response, answer(JSON.parse(body).id));
});
afterEach(() => wire.close());

const modern = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
const call = (args: object, meta: object = modern, name = "one") => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args, _meta: meta },
});

describe("headers that repeat a call's arguments", () => {
  it.each<[string, Record<string, string>, boolean]>([
    ["equal ones", { "mcp-param-to": "ann" }, true],
    ["equal ones in base64", { "MCP-Param-TO": "=?base64?YW5u?=" }, true],
    ["another value", { "mcp-param-to": "bob" }, false],
    ["none", {}, false],
    ["base64 without its padding", { "mcp-param-to": "=?base64?YW4?=" }, false],
    ["base64 with bits that nobody reads", { "mcp-param-to": "=?base64?YW5v?=" }, false],
    ["base64 of what is no UTF-8", { "mcp-param-to": "=?base64?/w==?=" }, false],
    ["letters that are no base64", { "mcp-param-to": "=?base64?Y!!u?=" }, false],
  ])("pass as %s: %o is %s", async (_, headers, passes) => {
    const response = await wire.post(call({ to: "ann" }), headers);
    expect(response.status).toBe(passes ? 200 : 400);
    expect(wire.calls).toHaveLength(passes ? 1 : 0);
    if (passes) return;
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32020 } });
    expect(wire.refused).toEqual(["client: its headers and its arguments differ"]);
  });

  it("may be missing before the revision that has them, and may not differ", async () => {
    expect((await wire.post(call({ to: "ann" }, {}))).status).toBe(200);
    const other = { "mcp-param-to": "bob" };
    expect((await wire.post(call({ to: "ann" }, {}), other)).status).toBe(400);
  });

  it("are compared before any guard is asked, also for a tool that nobody has listed yet", async () => {
    await wire.close();
    const asked: unknown[] = [];
    wire = await HttpWire.open({
      guardrails: [
        {
          name: "g",
          evaluate: ({ args }) => {
            asked.push(args);
            return { decision: "allow" };
          },
        },
      ],
    });
    expect((await wire.post(call({ to: "ann" }), { "mcp-param-to": "bob" })).status).toBe(400);
    expect([asked, wire.received.length]).toEqual([[], 1]);
  });

  it.each([
    ["the method", { "mcp-method": "tools/list" }],
    ["the tool", { "mcp-name": "other" }],
    ["the tool in broken base64", { "mcp-name": "=?base64?b25?=" }],
  ])("or %s, and differ, are refused by their own code", async (_, headers) => {
    const response = await wire.post(call({}), headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: -32020 } });
  });

  it("numbers are compared as numbers, and other arguments as text", () => {
    const schema = { properties: { n: { "x-mcp-header": "N" }, b: { "x-mcp-header": "B" } } };
    const differs = (headers: object, args: object) =>
      contradictsArguments(headers as Record<string, unknown>, schema, args, true);
    expect(differs({ "mcp-param-n": "42.0" }, { n: 42 })).toBe(false);
    expect(differs({ "mcp-param-n": "0x2a" }, { n: 42 })).toBe(true);
    expect(differs({ "mcp-param-n": "42.0" }, { n: "42" })).toBe(true);
    expect(differs({ "mcp-param-b": "true" }, { b: true })).toBe(false);
    expect(differs({ "mcp-param-b": "True" }, { b: true })).toBe(true);
    expect(differs({}, { n: null })).toBe(false);
  });

  it("that are made here never differ, whatever the arguments are", () => {
    const schema = { properties: { to: { "x-mcp-header": "To" } } };
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.boolean()), (to) => {
        const made = Object.entries(paramHeaders({}, schema, { to }));
        const headers = Object.fromEntries(made.map(([name, text]) => [name.toLowerCase(), text]));
        if (typeof to === "string" && !to.isWellFormed()) return;
        expect(contradictsArguments(headers, schema, { to }, true)).toBe(false);
      }),
    );
  });

  it("are read one way only: another text is another value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (base64) => {
        const text = decoded(`=?base64?${base64}?=`);
        if (text !== undefined) expect(Buffer.from(text).toString("base64")).toBe(base64);
      }),
    );
  });
});
