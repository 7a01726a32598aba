import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { approvals, memoryStore } from "../src/index.js";
import { render } from "../src/render/render.js";
import { question } from "./questions.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

it("shows in the README what a terminal shows", () => {
  const from = question({
    turnId: undefined,
    agentName: undefined,
    runnerAgents: [],
    context: {},
    policyVersion: undefined,
    approval: { summary: "A large transfer" },
    reason: "above 100",
    runId: "2b5f…",
    callId: "call_1",
  });
  const lines = render(from, { expiresAt: Date.UTC(2026, 10, 28, 4, 45) }).split("\n");
  for (const line of lines.filter((each) => !/^(SHA-256|run):/.test(each))) {
    expect(readme).toContain(`${line}\n`);
  }
});

it("names every option of approvals() and every count of its statistics that needs a word", () => {
  let options = "";
  try {
    approvals({ store: memoryStore(), none: 1 } as never);
  } catch (error) {
    options = String(error);
  }
  const names = /It takes: (.*)\./.exec(options)?.[1]?.split(", ") ?? [];
  expect(names.length).toBeGreaterThan(6);
  for (const name of names) expect(readme).toContain(`\`${name}\``);
});
