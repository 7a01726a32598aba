import { Guardrails, RailsConfig } from "@toolstile/iorails";
import { sensitiveData } from "@toolstile/redact";
import { describe, expect, it } from "vitest";

const configured = (flow: string, entities: readonly string[]) =>
  RailsConfig.fromContent({
    config: {
      models: [
        {
          type: "main",
          engine: "openai",
          model: "m",
          parameters: { base_url: "http://127.0.0.1:9" },
        },
      ],
      rails: {
        config: { sensitive_data_detection: { input: { entities } } },
        input: { flows: [flow] },
      },
    },
  });
const options = { env: { OPENAI_API_KEY: "k" }, sensitiveData: sensitiveData() };
const asked = (content: string) => ({ messages: [{ role: "user" as const, content }] });

describe("the flows on sensitive data, filled by @toolstile/redact", () => {
  it("block a question with an entity that is detected, and pass one without", async () => {
    const config = await configured("detect sensitive data on input", ["EMAIL_ADDRESS", "US_SSN"]);
    await using rails = new Guardrails(config, options);
    expect((await rails.check(asked("write to zoe@brawyn.de"))).status).toBe("blocked");
    expect((await rails.check(asked("write to zoe@example.com"))).status).toBe("passed");
  });

  it("mask an entity by Presidio's name for it", async () => {
    const config = await configured("mask sensitive data on input", ["EMAIL_ADDRESS"]);
    await using rails = new Guardrails(config, options);
    const checked = await rails.check(asked("write to zoe@brawyn.de now"));
    expect(JSON.stringify(checked)).toContain("write to <EMAIL_ADDRESS> now");
  });

  it("are refused for an entity that no structure tells, which is named", async () => {
    const config = await configured("detect sensitive data on input", ["PERSON"]);
    expect(() => new Guardrails(config, options)).toThrow("does not find 'PERSON'");
  });
});
