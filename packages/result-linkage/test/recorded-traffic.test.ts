import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { checkLinkage, type LinkageOptions } from "../src/index.js";

const folder = fileURLToPath(new URL("../../../../shared/data/", import.meta.url));
const present = existsSync(folder);

function readLines(
  path: string,
): { id: string; class: string; input: { messages?: unknown }; messages: unknown }[] {
  const lines = readFileSync(folder + path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

function count(file: string, options: LinkageOptions = {}): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { messages } of readLines(`traffic/${file}.jsonl`)) {
    for (const { code } of checkLinkage(messages, options)) counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

/** Calls and results without an id, results without a name, calls open at the end. */
const recorded: [string, Record<string, number>, number, number][] = [
  ["agentdojo", {}, 0, 0],
  ["bfcl-mutated", {}, 0, 305],
  ["bfcl", {}, 0, 482],
  ["cassettes", {}, 223, 138],
  ["livemcp-native", {}, 591, 0],
  ["livemcp-unwrapped", {}, 378, 0],
  ["sweagent", {}, 40, 0],
  ["tau-airline", {}, 0, 0],
  ["tau-retail", { missing_call_id: 774 }, 15, 0],
  ["toolbench", {}, 0, 37],
];

describe.skipIf(!present)("P19 in recorded traffic (needs ../shared/data)", () => {
  it.each(recorded)("%s has what is expected, and nothing else", (file, expected) => {
    expect(count(file)).toEqual(expected);
  });

  it.each(recorded)(
    "%s has so many results without a name and calls still open",
    (file, expected, nameless, open) => {
      expect(count(file, { requireNames: true, requireAnswers: true })).toEqual({
        ...expected,
        ...(nameless > 0 ? { missing_name: nameless } : {}),
        ...(open > 0 ? { unanswered_call: open } : {}),
      });
    },
  );
});

/** After public bug reports. What is not listed has no finding. */
const reported: Record<string, string[]> = {
  "bug-066": ["unanswered_call"],
  "bug-067": ["result_not_adjacent"],
  "bug-071": ["unknown_call_id"],
  "bug-072": ["unknown_call_id"],
  "bug-074": ["unanswered_call"],
  "bug-077": ["unanswered_call"],
  "bug-079": ["duplicate_call_id"],
  "bug-081": ["missing_call_id", "missing_call_id"],
  "bug-084": ["unknown_call_id"],
  "bug-091": ["malformed_calls"],
  "bug-094": ["malformed_content"],
  "bug-096": ["malformed_content"],
  "bug-097": ["malformed_content"],
};

describe.skipIf(!present)("bug reports of linkage, shape and name (needs ../shared/data)", () => {
  const rows = present ? readLines("bug-reports/dev.jsonl") : [];
  const ours = rows.filter(
    (row) => ["linkage", "shape", "name"].includes(row.class) && row.input.messages !== undefined,
  );
  it.each(ours.map((row) => [row.id, row.input.messages]))(
    "%s is found for what it is",
    (id, messages) => {
      expect(checkLinkage(messages).map(({ code }) => code)).toEqual(reported[id as string] ?? []);
    },
  );
});
