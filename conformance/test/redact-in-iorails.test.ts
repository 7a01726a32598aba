import { Guardrails, RailsConfig } from "@toolstile/iorails";
import { type Recognizer, sensitiveData } from "@toolstile/redact";
import { completionChunk, modelServer } from "@toolstile/testing";
import { describe, expect, it } from "vitest";

const configured = (flow: string, entities: readonly string[], baseUrl = "http://127.0.0.1:9") =>
  RailsConfig.fromContent({
    config: {
      models: [
        {
          type: "main",
          engine: "openai",
          model: "m",
          parameters: { base_url: baseUrl },
        },
      ],
      rails: {
        config: { sensitive_data_detection: { input: { entities }, output: { entities } } },
        ...(flow.endsWith("input")
          ? { input: { flows: [flow] } }
          : { output: { flows: [flow], streaming } }),
      },
    },
  });
const streaming = { enabled: true, stream_first: false, context_size: 0 };
const options = { env: { OPENAI_API_KEY: "k" }, sensitiveData: sensitiveData() };
const question = (content: string) => ({ messages: [{ role: "user" as const, content }] });

describe("the flows on sensitive data, filled by @toolstile/redact", () => {
  it("block a question with an entity that is detected, and pass one without", async () => {
    const config = await configured("detect sensitive data on input", ["EMAIL_ADDRESS", "US_SSN"]);
    await using rails = new Guardrails(config, options);
    expect((await rails.check(question("write to zoe@brawyn.de"))).status).toBe("blocked");
    expect((await rails.check(question("write to zoe@example.com"))).status).toBe("passed");
  });

  it("mask an entity by Presidio's name for it", async () => {
    const config = await configured("mask sensitive data on input", ["EMAIL_ADDRESS"]);
    await using rails = new Guardrails(config, options);
    const checked = await rails.check(question("write to zoe@brawyn.de now"));
    expect(JSON.stringify(checked)).toContain("write to <EMAIL_ADDRESS> now");
  });

  it("are refused for an entity that no structure tells, which is named", async () => {
    const config = await configured("detect sensitive data on input", ["PERSON"]);
    expect(() => new Guardrails(config, options)).toThrow("does not find 'PERSON'");
  });
});

/** Finds one name, with a score. */
function zoe(score: number, asked: string[] = []): Recognizer {
  return {
    name: "zoe",
    kinds: ["personal.person"],
    find(text) {
      asked.push(text);
      if (text.includes("hunter2")) throw new Error(text);
      const start = text.indexOf("Zoe");
      return start < 0 ? [] : [{ start, end: start + 3, kind: "personal.person", score }];
    },
  };
}

describe("the flows on sensitive data, with a recognizer", () => {
  it("mask the entity that it finds, and show it no other data", async () => {
    const asked: string[] = [];
    const config = await configured("mask sensitive data on input", ["PERSON"]);
    const finder = sensitiveData({ recognizers: [zoe(0.5, asked)] });
    await using rails = new Guardrails(config, { ...options, sensitiveData: finder });
    const checked = await rails.check(question("to Zoe, zoe@brawyn.de"));
    expect(JSON.stringify(checked)).toContain("to <PERSON>, zoe@brawyn.de");
    expect(asked).toEqual(["to Zoe, [redacted personal.email]"]);
  });

  it("block what it finds with the score of the configuration, and if it fails", async () => {
    const config = await configured("detect sensitive data on input", ["PERSON"]);
    const statusOf = async (score: number, content: string) => {
      const finder = sensitiveData({ recognizers: [zoe(score)] });
      await using rails = new Guardrails(config, { ...options, sensitiveData: finder });
      const checked = await rails.check(question(content));
      expect(JSON.stringify(checked.violations)).not.toContain("hunter2");
      return checked.status;
    };
    expect(await statusOf(0.2, "to Zoe")).toBe("blocked");
    expect(await statusOf(0.19, "to Zoe")).toBe("passed");
    expect(await statusOf(1, "hunter2")).toBe("blocked");
  });

  it("hold an answer back to its end, which is then masked as a whole", async () => {
    const texts = ["To Z", "oe ", "and more. ".repeat(40), "End"];
    const events = [
      ...texts.map((content) => completionChunk({ content })),
      completionChunk({}, "stop"),
    ];
    await using server = await modelServer([{ events }]);
    const config = await configured("mask sensitive data on output", ["PERSON"], server.url);
    const asked: string[] = [];
    const finder = sensitiveData({ recognizers: [zoe(1, asked)] });
    await using rails = new Guardrails(config, { ...options, sensitiveData: finder });
    const chunks: unknown[] = [];
    for await (const chunk of rails.stream(question("Write."))) chunks.push(chunk);
    expect(chunks).toEqual([{ type: "text", text: texts.join("").replace("Zoe", "<PERSON>") }]);
    expect(asked).toEqual([texts.join("")]);
  });
});
