import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { Guardrails, RailsConfig, type RailsEngine } from "../../src/index.js";

const model = {
  type: "main",
  engine: "x",
  model: "m",
  parameters: { base_url: "http://127.0.0.1:9" },
};
const configured = (entities: readonly string[]) =>
  RailsConfig.fromContent({
    config: {
      models: [model],
      rails: {
        config: { sensitive_data_detection: { input: { entities } } },
        input: { flows: ["mask sensitive data on input"] },
      },
    },
  });
const asked = { messages: [{ role: "user" as const, content: "mail zoe@brawyn.de, key 7" }] };

describe("the flows of sensitive data without the option for them", () => {
  it("use @toolstile/redact, which is loaded for them", async () => {
    await using rails = new Guardrails(await configured(["EMAIL_ADDRESS"]), { env: {} });
    expect(JSON.stringify(await rails.check(asked))).toContain("mail <EMAIL_ADDRESS>, key 7");
  });

  it("leave the host's own finder in its place", async () => {
    const find = (text: string) => [
      { entity: "KEY", start: text.indexOf("7"), end: text.indexOf("7") + 1, score: 1 },
    ];
    const sensitiveData = { scanner: () => ({ reach: 1, find }) };
    await using rails = new Guardrails(await configured(["KEY"]), { env: {}, sensitiveData });
    expect(JSON.stringify(await rails.check(asked))).toContain("mail zoe@brawyn.de, key <KEY>");
  });

  it("are for another engine if an entity is not found here, which the reason names", async () => {
    const config = await configured(["EMAIL_ADDRESS", "PERSON"]);
    expect(() => new Guardrails(config, { env: {} })).toThrow("does not find 'PERSON'");
    const other = { generate() {}, stream() {}, check() {}, close() {} } as unknown as RailsEngine;
    const reasons: string[] = [];
    const fallback = (_: RailsConfig, reason: string) => {
      reasons.push(reason);
      return other;
    };
    new Guardrails(config, { env: {}, fallback });
    expect(reasons).toEqual([expect.stringContaining("'mask sensitive data on input'")]);
  });

  it("are refused by name where the package is missing, with the line that installs it", async () => {
    const script = fileURLToPath(new URL("without-redact.mjs", import.meta.url));
    const program = ["--conditions=@toolstile/source", script];
    const { stdout } = await promisify(execFile)(process.execPath, program);
    expect(stdout).toMatch(
      /^ERR_UNSUPPORTED .*'mask sensitive data on input'.*npm install @toolstile\/redact\./s,
    );
  });
});
