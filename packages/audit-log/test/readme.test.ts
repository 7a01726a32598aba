import { readFileSync } from "node:fs";
import { allowAll, ToolRunner, tool } from "@toolstile/core";
import { expect, it } from "vitest";
import { auditLog, memory, plugin, verify } from "../src/index.js";

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
