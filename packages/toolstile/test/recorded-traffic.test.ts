import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { main } from "../src/main.js";
import { capturedTerminal } from "./captured-terminal.js";

const shared =
  process.env["TOOLSTILE_SHARED_DATA"] ??
  fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const traffic = join(shared, "traffic");

/** Conversations, calls, results, and findings by code. `docs/replay.md` says where they differ from other counts. */
const recorded: [string, number, number, number, Record<string, number>][] = [
  ["agentdojo", 264, 1000, 1000, {}],
  [
    "bfcl-mutated",
    190,
    305,
    0,
    { invalid_json: 27, not_allowed: 26, not_an_object: 22, schema: 116 },
  ],
  ["bfcl", 363, 482, 0, { schema: 22, schema_invalid: 15 }],
  ["cassettes", 285, 366, 228, { missing_name: 223, no_tools_declared: 12, schema: 2 }],
  ["livemcp-native", 60, 591, 591, { missing_name: 591 }],
  [
    "livemcp-unwrapped",
    58,
    378,
    378,
    { missing_name: 378, not_allowed: 1, schema: 39, schema_invalid: 11 },
  ],
  ["sweagent", 4, 40, 40, { missing_name: 40, no_tools_declared: 40 }],
  ["tau-airline", 168, 987, 987, {}],
  [
    "tau-retail",
    222,
    1764,
    1764,
    { invalid_json: 453, missing_call_id: 774, missing_name: 15, not_allowed: 1 },
  ],
  ["toolbench", 39, 113, 76, { not_allowed: 3 }],
];

describe.skipIf(!existsSync(traffic))("replay of recorded traffic (needs ../shared/data)", () => {
  it.each(recorded)(
    "finds in %s what is there, and nothing else",
    async (name, conversations, calls, results, codes) => {
      const file = join(traffic, `${name}.jsonl`);
      const terminal = capturedTerminal();
      const code = await main(["replay", file, "--require-names", "--json"], terminal);
      const { out, err } = terminal.written();
      expect([code, err]).toEqual([0, ""]);
      expect(JSON.parse(out).total).toEqual({ conversations, calls, results, codes });
    },
  );

  it("prints the table that docs/replay.md shows", { tags: "long" }, async () => {
    const files = recorded.map(([name]) => join(traffic, `${name}.jsonl`));
    const terminal = capturedTerminal({ tick: 0 });
    await main(["replay", ...files, "--require-names"], terminal);
    const shown = readFileSync(new URL("../../../docs/replay.md", import.meta.url), "utf8");
    expect(shown).toContain(`\n${withoutSpeed(terminal.written().out)}\n`);
  });
});

function withoutSpeed(printed: string): string {
  const lines = printed.trimEnd().split("\n");
  const end = (lines[0] ?? "").lastIndexOf("  calls/s");
  return lines.map((line) => line.slice(0, end).trimEnd()).join("\n");
}
