import type { OutcomeStatus } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { call, outcome } from "../src/index.js";

const statuses: [OutcomeStatus, boolean | "unknown"][] = [
  ["executed", true],
  ["failed", true],
  ["withheld", true],
  ["denied", false],
  ["invalid", false],
  ["not_found", false],
  ["aborted", false],
  ["unknown", "unknown"],
  ["released", "unknown"],
];

describe("outcome", () => {
  it.each(statuses)("of a call that is %s says executed: %s, for that call", (status, executed) => {
    const asked = call({ q: 1 });
    const ended = outcome(asked, status);
    expect(ended).toMatchObject({ status, executed, runId: asked.runId, callId: asked.callId });
    expect(ended.result.callId).toBe(asked.callId);
  });
});
