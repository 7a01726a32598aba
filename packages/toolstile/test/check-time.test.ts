import { describe, expect, it } from "vitest";
import { readTime } from "../src/check/sample-time.js";
import { main } from "../src/main.js";
import { capturedTerminal } from "./captured-terminal.js";
import { folderWithPackages, packagesAreBuilt } from "./installed-packages.js";

const policy = `version: 1
guards:
  - use: "@toolstile/rules"
    with:
      rules:
        - id: office-hours
          tools: [refund]
          require: { time: { zone: Europe/Berlin, from: "08:00", to: "18:00" } }
          deny: closed
        - { id: large, tools: [refund], when: { at: /cents, above: 100, optional: true }, ask: large }
`;

async function check(...options: string[]) {
  const folder = folderWithPackages();
  const path = folder.file("guard.yaml", policy);
  const calls = folder.file(
    "calls.jsonl",
    [
      { name: "refund", at: "2026-01-15T07:00:00Z", expect: "allow" },
      { name: "refund", at: "2026-01-15T19:00:00+01:00", expect: "deny", by: "office-hours" },
      { name: "refund", arguments: { cents: 101 }, expect: "deny" },
    ]
      .map((line) => JSON.stringify(line))
      .join("\n"),
  );
  const terminal = capturedTerminal();
  const code = await main(["check", path, "--calls", calls, ...options], terminal);
  const { out, err } = terminal.written();
  return { code, out: out.replaceAll(`${folder.path}/`, ""), err };
}

describe("toolstile check at a time", () => {
  it.skipIf(!packagesAreBuilt)(
    "asks rules at the time of each sample, and at that of --at where it has none, and says which",
    async () => {
      const { code, out } = await check("--at", "2026-01-15T23:30:00+01:00");
      expect(code).toBe(0);
      expect(out).toContain("Rules are asked as at 2026-01-15T22:30:00.000Z (--at).");
      const rows = out.split("\n").map((line) => line.split(/ {2,}/));
      expect(rows).toContainEqual(["sample call", "tool", "at", "verdict", "decided by", "why"]);
      expect(
        rows.filter(([from]) => from?.startsWith("calls.jsonl")).map(([, , at]) => at),
      ).toEqual([
        "2026-01-15T07:00:00.000Z",
        "2026-01-15T18:00:00.000Z",
        "2026-01-15T22:30:00.000Z",
      ]);
      // What else applies is asked at the same time.
      expect(out).toContain("closed; also applies: large");
      const open = await check("--json", "--at", "2026-01-15T12:00:00Z");
      expect(JSON.parse(open.out).samples[2].verdict).toBe("ask");
    },
  );

  it.skipIf(!packagesAreBuilt)(
    "says that rules look at the clock, and that nobody is named whom they can ask",
    async () => {
      const folder = folderWithPackages();
      const terminal = capturedTerminal();
      await main(["check", folder.file("guard.yaml", policy)], terminal);
      const { out } = terminal.written();
      expect(out).toContain("this is what they say now. --at TIME asks them of another time.");
      expect(out).toContain("A rule asks a human, and the file names no approver");
      const named = `${policy}approver: { use: "@toolstile/approval", with: { folder: { path: a } } }\n`;
      const other = capturedTerminal();
      await main(["check", folder.file("named.yaml", named)], other);
      expect(other.written().out).not.toContain("no approver");
    },
  );

  it.each([
    ["2026-01-15T22:30:00"],
    ["2026-02-30T22:30:00Z"],
    ["2026-01-15"],
    ["22:30"],
    ["2026-01-15T24:00:00Z"],
    ["2026-01-15T22:30:00+25:00"],
    [" 2026-01-15T22:30:00Z"],
  ])("takes no time without a zone and none that does not exist: %s", async (text) => {
    expect(readTime(text)).toBeUndefined();
    const terminal = capturedTerminal();
    expect(await main(["check", "package.json", "--at", text], terminal)).toBe(2);
    expect(terminal.written().err).toContain("--at takes a time with its zone");
  });

  it("takes a time with any zone, with or without seconds", () => {
    const noon = Date.UTC(2026, 1, 28, 12);
    for (const text of ["2026-02-28T12:00Z", "2026-02-28T13:30:00.000+01:30"])
      expect(readTime(text)).toBe(noon);
  });
});
