import { readFileSync } from "node:fs";
import { allowAll, ToolRunner, tool } from "@toolstile/core";
import { expect, it } from "vitest";
import { auditLog, folder, memory, plugin, verify } from "../src/index.js";
import { otel } from "../src/otel.js";
import { postgresSink } from "../src/postgres.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

it("does what the README's example says", async () => {
  const sink = memory();
  const runner = new ToolRunner({
    tools: [tool({ name: "search", execute: () => "found" })],
    guardrails: [allowAll()],
    observers: [auditLog({ sink })],
  });
  await runner.run({ name: "search", arguments: { q: "tea" } });
  expect((await verify(sink.lines)).ok).toBe(true);
  const flipped = sink.lines.map((line) => line.replace("executed", "exeCuted"));
  const { firstBad } = await verify(flipped);
  expect(readme).toContain(
    `{ line: ${firstBad?.line}, seq: ${firstBad?.seq}, reason: "${firstBad?.reason}" }`,
  );
});

it("names every option of the plugin in the README", () => {
  for (const option of Object.keys(plugin.optionsSchema.properties as object)) {
    expect(readme).toContain(`\`${option}\``);
  }
});

/** The options that a function says it takes. */
function optionsOf(call: (options: never) => unknown): string[] {
  try {
    call({ sink: memory(), client: { query() {} }, "no such option": 1 } as never);
  } catch (error) {
    return String(error).split("It takes: ")[1]?.slice(0, -1).split(", ") ?? [];
  }
  return [];
}

it.each<[string, (options: never) => unknown, number]>([
  ["auditLog()", auditLog, 12],
  ["folder()", (options) => folder("x", options), 13],
  ["postgresSink()", postgresSink, 3],
  ["otel()", otel, 5],
])("names every option of %s in the README", (_, call, least) => {
  const options = optionsOf(call).filter((name) => !isForTests.includes(name));
  expect(options.length).toBeGreaterThanOrEqual(least - 1);
  for (const option of options) expect(readme).toContain(`\`${option}\``);
});

const isForTests = ["disk"];
