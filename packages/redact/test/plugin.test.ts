import { allowAll, ToolRunner, tool } from "@toolstile/core";
import { call, result, testProvider } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { plugin, type RedactOptions, redact } from "../src/index.js";
import { item } from "./items.js";

const mail = item("personal.email", 1);

describe("redact", () => {
  testProvider(it, () => redact({ arguments: "deny" }), {
    allowed: call({ q: "tea" }),
    denied: call({ q: mail }),
  });

  it("names the kinds in a denial, and no value", () => {
    const denial = redact({ arguments: "deny" }).evaluate(call({ to: mail }));
    expect(denial).toMatchObject({ decision: "deny", code: "sensitive_data" });
    expect(JSON.stringify(denial)).toContain("personal.email");
    expect(JSON.stringify(denial)).not.toContain(mail);
  });

  it("masks arguments where asked", () => {
    expect(redact({ arguments: "mask" }).evaluate(call({ to: mail }))).toMatchObject({
      decision: "modify",
      modifiedArgs: { to: "[redacted personal.email]" },
    });
  });

  it("P3 judges no call whose arguments it leaves alone", async () => {
    const tools = [tool({ name: "send", execute: () => mail })];
    const alone = new ToolRunner({ tools, guardrails: [redact()] });
    expect(await alone.run({ name: "send" })).toMatchObject({ status: "denied", executed: false });
    const beside = new ToolRunner({ tools, guardrails: [allowAll(), redact()] });
    const { result } = await beside.run({ name: "send" });
    expect(result.content).toBe("[redacted personal.email]");
  });

  it("rewrites texts, parts and structure of a result, and leaves the bytes of an image", async () => {
    const image = {
      type: "image",
      data: Buffer.from(mail).toString("base64"),
      mimeType: "image/png",
    };
    const given = {
      content: [{ type: "text", text: `to ${mail}` }, image],
      structured: { to: [mail] },
    };
    const verdict = await redact().evaluateResult?.(
      call(),
      result(call(), given.content, { structured: given.structured }),
    );
    expect(verdict).toMatchObject({
      decision: "modify",
      modifiedResult: {
        content: [{ type: "text", text: "to [redacted personal.email]" }, image],
        structured: { to: ["[redacted personal.email]"] },
      },
    });
  });

  it("leaves the text of a number JSON, and the text of a text as it is", async () => {
    const card = "[redacted personal.card]";
    for (const [value, content] of [
      [5018083346444446, JSON.stringify(card)],
      ["5018083346444446", card],
    ] as const) {
      const given = tool({ name: "given", execute: () => value });
      const { result } = await new ToolRunner({
        tools: [given],
        guardrails: [allowAll(), redact()],
      }).run({ name: "given" });
      expect(result.content).toBe(content);
    }
  });

  it("withholds a result where asked", async () => {
    const verdict = await redact({ results: "deny" }).evaluateResult?.(
      call(),
      result(call(), mail),
    );
    expect(verdict).toMatchObject({ decision: "deny", code: "sensitive_data" });
  });
});

describe("plugin", () => {
  it("knows the options of the guard but for tokens and recognizers, which are code, and two of these", () => {
    const all = Object.keys(plugin.optionsSchema.properties as object);
    expect(all).toEqual(expect.arrayContaining(["presidio", "modelJudge"]));
    const known = all.filter((name) => name !== "presidio" && name !== "modelJudge");
    let message = "";
    try {
      plugin.create({ kind: [] } as RedactOptions);
    } catch (error) {
      message = String(error);
    }
    for (const option of known) expect(message).toContain(option);
    expect(
      message
        .match(/It takes: (.*)\./)?.[1]
        ?.split(", ")
        .sort(),
    ).toEqual([...known, "recognizers", "tokens"].sort());
  });
});
