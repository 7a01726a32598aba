import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DefinitionPins, memoryPins, type PinStore, renderChanges } from "../src/index.js";
import { leaves, listed, withLeaf } from "./support/wire.js";

const whole = {
  name: "send",
  title: "Send",
  description: "Sends mail.",
  inputSchema: { type: "object", properties: { to: { type: "string" } } },
  outputSchema: { type: "object" },
  annotations: { readOnlyHint: false },
  icons: [{ src: "data:," }],
  _meta: { "com.example/x": [1, null, true] },
};

async function withheld(pins: DefinitionPins, ...tools: object[]) {
  const list = tools.map((definition) => ({
    name: (definition as { name: string }).name,
    definition: definition as Record<string, unknown>,
  }));
  return Object.fromEntries(await pins.withheld("mail", list));
}

describe("pinned definitions", () => {
  it("are taken on at first sight, and hold from then on", async () => {
    const pins = new DefinitionPins();
    expect(await withheld(pins, whole)).toEqual({});
    expect(await withheld(pins, whole)).toEqual({});
    expect(await pins.list()).toMatchObject([{ server: "mail", tool: "send", state: "pinned" }]);
  });

  it.each(leaves(whole).filter((path) => path.join() !== "name"))(
    "withhold a tool whose definition has changed at %s.%s",
    async (...path) => {
      const pins = new DefinitionPins();
      await withheld(pins, whole);
      const reason = "its definition has changed since it was approved";
      expect(await withheld(pins, withLeaf(whole, path))).toEqual({ send: reason });
      expect(await pins.list()).toMatchObject([{ state: "changed" }]);
    },
  );

  it("are not changed by the order of members", async () => {
    const pins = new DefinitionPins();
    await withheld(pins, whole);
    const reordered = Object.fromEntries(Object.entries(whole).reverse());
    expect(await withheld(pins, reordered)).toEqual({});
  });

  it("keep two servers' equal names apart", async () => {
    const pins = new DefinitionPins();
    await withheld(pins, whole);
    const other = { name: "send", definition: listed("send") };
    expect([...(await pins.withheld("post", [other])).keys()]).toEqual([]);
    expect(await withheld(pins, whole)).toEqual({});
  });

  it("are taken on by approval only, where first use is not trusted", async () => {
    const pins = new DefinitionPins({ trust: "approved-only" });
    const reason = "its definition has not been approved yet";
    expect(await withheld(pins, whole)).toEqual({ send: reason });
    expect(await withheld(pins, whole)).toEqual({ send: reason });
    const [status] = await pins.list();
    expect(status).toMatchObject({ state: "new", approved: undefined });
    await pins.approve("mail", "send", status?.seen ?? "");
    expect(await withheld(pins, whole)).toEqual({});
  });

  it("are changed by an approval of exactly the definition that was reviewed", async () => {
    const pins = new DefinitionPins();
    await withheld(pins, whole);
    await withheld(pins, { ...whole, title: "one" });
    const reviewed = (await pins.list())[0]?.seen ?? "";
    await withheld(pins, { ...whole, title: "two" });
    await expect(pins.approve("mail", "send", reviewed)).rejects.toMatchObject({
      code: "ERR_APPROVAL",
    });
    expect(Object.keys(await withheld(pins, { ...whole, title: "one" }))).toEqual(["send"]);
    await pins.approve("mail", "send", reviewed);
    expect(await withheld(pins, { ...whole, title: "one" })).toEqual({});
    expect(Object.keys(await withheld(pins, whole))).toEqual(["send"]);
  });

  it("have nothing left to approve once the server goes back", async () => {
    const pins = new DefinitionPins();
    await withheld(pins, whole);
    await withheld(pins, { ...whole, title: "one" });
    await withheld(pins, whole);
    expect(await pins.list()).toMatchObject([{ state: "pinned", seen: undefined }]);
    expect(await pins.changes("mail", "send")).toEqual([]);
  });

  it.each([
    ["mail", "sned", "Did you mean 'send'?"],
    ["mial", "send", "Did you mean 'mail'?"],
  ])("say which name is near where %s has no %s", async (server, tool, hint) => {
    const pins = new DefinitionPins();
    await withheld(pins, whole);
    await expect(pins.approve(server, tool, "x")).rejects.toThrowError(hint);
  });

  it("show what has changed, in a way that hides nothing", async () => {
    const pins = new DefinitionPins();
    await withheld(pins, whole);
    await withheld(pins, {
      ...whole,
      title: undefined,
      description: "Sends mail.\u200b\u202e",
      annotations: { readOnlyHint: true, "a/b": "\n+ x" },
    });
    const changes = await pins.changes("mail", "send");
    expect(changes).toContainEqual({
      path: "/annotations/readOnlyHint",
      before: false,
      after: true,
    });
    expect(renderChanges(changes)).toBe(
      [
        '- "/title": "Send"',
        '- "/description": "Sends mail."',
        '+ "/description": "Sends mail.\\u200b\\u202e"',
        '- "/annotations/readOnlyHint": false',
        '+ "/annotations/readOnlyHint": true',
        '+ "/annotations/a~1b": "\\n+ x"',
        "",
      ].join("\n"),
    );
  });

  it("render no two changes alike", () => {
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json().map((text) => JSON.parse(text)),
    );
    fc.assert(
      fc.property(value, value, (one, other) => {
        const [left, right] = [one, other].map((after) => renderChanges([{ path: "", after }]));
        expect(left === right).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  it("P17 are no more than so many for one server, and what comes after is withheld", async () => {
    const pins = new DefinitionPins();
    const many = Array.from({ length: 10_001 }, (_, index) => listed(`t${index}`));
    expect(await withheld(pins, ...many)).toEqual({
      t10000: "its server has more tools than can be pinned",
    });
  });

  it("P1 are no reason to show a tool where their store fails", async () => {
    const store: PinStore = { ...memoryPins(), read: () => Promise.reject(new Error("disk")) };
    await expect(withheld(new DefinitionPins({ store }), whole)).rejects.toThrowError("disk");
  });

  it.each([{ trust: "first" }, { stores: 1 }, { store: {} }])(
    "P5 refuse %j as options",
    (options) => {
      expect(() => new DefinitionPins(options as never)).toThrowError(/trust|store/);
    },
  );
});
