import { expect } from "vitest";
import type { Expectation, Outcome } from "./run-vector.js";

const kinds: Readonly<Record<string, string>> = {
  input: "input",
  output: "output",
  tool_output: "tool_call",
  tool_input: "tool_result",
};

/** Holds what came of a vector to what it expects. Of reasons on the wire, the family counts and not NeMo's wording. */
export function expectOutcome(found: Outcome, wanted: Expectation): void {
  if (wanted.outcome !== undefined) expect(sameOutcome(found, wanted)).toBe(wanted.outcome);
  if (wanted.content !== undefined && wanted.events === undefined) {
    expect(found.content).toBe(wanted.content);
  }
  if (wanted.contentExcludes !== undefined) {
    expect(found.content).not.toContain(wanted.contentExcludes);
  }
  const [violation] = found.violations;
  if (wanted.failed !== undefined) {
    expect(violation?.violationType === "rail_failed").toBe(wanted.failed);
  }
  if (wanted.rail !== undefined) expect(found.rail).toBe(wanted.rail);
  if (wanted.reason !== undefined) expect(violation?.reason).toContain(wanted.reason);
  if (wanted.family !== undefined) expect(violation?.kind).toBe(kinds[wanted.family]);
  if (wanted.violations !== undefined) expect(found.violations).toMatchObject(wanted.violations);
  if (wanted.status !== undefined) expect(found.outcome).toBe(String(wanted.status));
  if (wanted.statusNot2xx === true) expect(found.outcome).toMatch(/^[1345]\d\d$/);
  // Of the words of a reason, a vector may say nothing. Of all else in an answer, it says all.
  if (wanted.body !== undefined)
    expect(withoutReason(found.response, wanted.body)).toEqual(wanted.body);
  for (const part of wanted.errorIncludes ?? []) expect(found.error).toContain(part);
  expectStream(found, wanted);
  expectAsked(found, wanted);
  if (wanted.log !== undefined) expect(found.response).toMatchObject({ log: wanted.log });
  if (wanted.shape !== undefined) expect(found.response).toHaveProperty("response");
}

/** NeMo's `generate` and its streams do not tell a changed text from others: the text is compared. */
function sameOutcome({ outcome }: Outcome, wanted: Expectation): string {
  return outcome === "modified" && wanted.outcome === "passed" ? "passed" : outcome;
}

function expectStream({ chunks }: Outcome, wanted: Expectation): void {
  const text = chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("");
  const blocks = chunks.filter((chunk) => chunk.type === "violation");
  if (wanted.violation !== undefined) expectBlock(blocks[0]?.error, wanted.violation);
  if (wanted.violationParam !== undefined) {
    expect(blocks[0]?.error.param).toBe(wanted.violationParam);
  }
  if (wanted.noToolCalls === true) {
    expect(chunks.some(({ type }) => type === "tool_calls")).toBe(false);
  }
  if (wanted.eventsText !== undefined) expect(text).toBe(wanted.eventsText);
  else if (wanted.events !== undefined && wanted.outcome !== "error") {
    expect(text).toBe(wanted.events.map((event) => event["text"] ?? "").join(""));
    const block = wanted.events.find((event) => event["violation"] !== undefined);
    if (block !== undefined) expectBlock(blocks[0]?.error, block["violation"] as object);
  }
}

function expectBlock(error: object | undefined, wanted: object): void {
  const { message = "", ...rest } = wanted as { message?: string };
  expect(error).toMatchObject(rest);
  const family = message.slice(0, message.indexOf(":"));
  expect((error as { message: string }).message).toContain(family);
}

function expectAsked({ asked }: Outcome, wanted: Expectation): void {
  for (const [model, times] of Object.entries(wanted.upstream ?? {})) {
    expect(asked.filter((request) => request.model === model)).toHaveLength(times);
  }
  if (wanted.upstream !== undefined && Object.keys(wanted.upstream).length === 0) {
    expect(asked).toHaveLength(0);
  }
  const bodies = JSON.stringify(asked.map(({ body }) => body));
  const said = asked.map(({ body }) => JSON.stringify(body).replaceAll('\\"', '"')).join("\n");
  if (wanted.upstreamIncludes !== undefined)
    expect(bodies + said).toContain(wanted.upstreamIncludes);
  if (wanted.upstreamExcludes !== undefined) expect(bodies).not.toContain(wanted.upstreamExcludes);
  for (const [model, parts] of Object.entries(wanted.upstreamBody ?? {})) {
    expect(asked.find((request) => request.model === model)?.body).toMatchObject(parts);
  }
}

/** The answer to a hook, without a reason that is not among what is wanted. */
function withoutReason(answer: unknown, wanted: object): unknown {
  const key = "permissionDecisionReason";
  if (JSON.stringify(wanted).includes(key)) return answer;
  return JSON.parse(JSON.stringify(answer, (name, value) => (name === key ? undefined : value)));
}
