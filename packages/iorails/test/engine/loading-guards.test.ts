import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "@toolstile/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { Guardrails, RailsConfig } from "../../src/index.js";

const question = { role: "user", content: "What is it?" };

/** A configuration in a folder, and modules beside it, each a plugin of its file's name. */
async function configured(
  uses: readonly string[],
  modules: Readonly<Record<string, string>>,
): Promise<{ readonly config: RailsConfig; readonly path: string }> {
  const path = mkdtempSync(join(tmpdir(), "toolstile-loading-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(path, name), text);
  const providers = uses.map((use) => `{use: ./${use}}`).join(", ");
  writeFileSync(
    join(path, "config.yml"),
    `models: [{type: main, engine: x, model: m, parameters: {base_url: "http://127.0.0.1:9"}}]
rails: {tool_output: {flows: [tool call validation], providers: [${providers}]}}
`,
  );
  return { config: await RailsConfig.fromPath(path), path };
}

/** A module that is never loaded. */
const endless = { "endless.mjs": "await new Promise(() => {});\n" };
const guard = (name: string, close: string): string => `
export const closed = [];
export const plugin = {
  name: "${name}",
  optionsSchema: {},
  create: () => ({ name: "${name}", evaluate: () => ({ decision: "allow" }), close() { ${close} } }),
};
`;

describe("guards that are still being loaded", () => {
  it("hold no request whose caller gives up", async () => {
    const { config } = await configured(["endless.mjs"], endless);
    const rails = new Guardrails(config, { env: {}, clock: fakeClock() });
    const abort = new AbortController();
    const request = { messages: [question], signal: abort.signal };
    const waiting = [rails.generate(request), rails.check(request), rails.stream(request).next()];
    abort.abort();
    for (const one of await Promise.allSettled(waiting)) {
      expect(one).toMatchObject({ status: "rejected", reason: { code: "ERR_ABORTED" } });
    }
  });

  it("hold as many requests of one caller's signal as there are, without a warning of a leak", async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => warnings.push(name);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const { config } = await configured(["endless.mjs"], endless);
    const clock = fakeClock();
    const rails = new Guardrails(config, { env: {}, clock, closeWithinMs: 1_000 });
    const { signal } = new AbortController();
    const request = { messages: [question], signal };
    const waiting = Array.from({ length: 20 }, () => [
      rails.start(),
      rails.generate(request),
      rails.check(request),
      rails.stream(request).next(),
    ]).flat();
    const outcomes = Promise.allSettled(waiting);
    const closing = rails.close();
    await clock.advance(1_000);
    await closing;
    expect((await outcomes).map(({ status }) => status)).toEqual(waiting.map(() => "rejected"));
    // Node warns in the next turn of its loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });

  it("do not keep close() from ending", async () => {
    const { config } = await configured(["endless.mjs"], endless);
    const clock = fakeClock();
    const rails = new Guardrails(config, { env: {}, clock, closeWithinMs: 1_000 });
    const starting = rails.start();
    const waiting = rails.generate({ messages: [question] });
    const closing = rails.close();
    const outcomes = Promise.allSettled([starting, waiting]);
    await clock.advance(1_000);
    await closing;
    expect(await outcomes).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
    await expect(rails.start()).rejects.toMatchObject({ code: "ERR_CLOSED" });
  });

  it("are closed where one after them cannot be loaded, whatever one of them makes of it", async () => {
    const { config, path } = await configured(["first.mjs", "second.mjs", "third.mjs"], {
      "first.mjs": guard("first", 'closed.push("first");'),
      "second.mjs": guard("second", 'closed.push("second"); throw new Error("no");'),
      "third.mjs": "export const nothing = 1;\n",
    });
    await using rails = new Guardrails(config, { env: {} });
    await expect(rails.start()).rejects.toMatchObject({ code: "ERR_PLUGIN" });
    for (const name of ["first", "second"]) {
      const module = await import(/* @vite-ignore */ join(path, `${name}.mjs`));
      expect(module.closed).toEqual([name]);
    }
  });
});

describe("a request that chooses among guards wrongly", () => {
  const options = { rails: { tool_output: { providers: ["nobody"] } } } as never;

  it("P5 is an error of stream() at once", async () => {
    const { config } = await configured([], {});
    await using rails = new Guardrails(config, { env: {} });
    const wrong = expect.objectContaining({ code: expect.stringMatching(/^ERR_/) });
    expect(() => rails.stream({ messages: [question], options })).toThrowError(wrong);
  });

  it("P5 is an error of the first piece where they were still to be loaded, and no chunk", async () => {
    const { config } = await configured(["first.mjs"], { "first.mjs": guard("first", "") });
    await using rails = new Guardrails(config, { env: {} });
    const chunks = rails.stream({ messages: [question], options });
    await expect(chunks.next()).rejects.toMatchObject({ code: expect.stringMatching(/^ERR_/) });
  });
});
