import { describe, expect, it } from "vitest";
import { decided, hooksOf } from "./post.js";

const no = (reason: string) => `deny: NeMo Guardrails: ${reason}`;

describe("the policy of hooks_server", () => {
  it.each<[string, string, object, string]>([
    ["{blocked_tools: [Bash]}", "Bash", {}, no("tool call 'Bash' is a blocked tool")],
    ["{blocked_tools: [Bash]}", "Read", {}, "allow"],
    ["{allowed_tools: [Read], allow_unlisted_tools: false}", "Read", { path: "a" }, "allow"],
    [
      "{allowed_tools: [Read], allow_unlisted_tools: false}",
      "Bash",
      {},
      no("tool call 'Bash' is not an allowed tool"),
    ],
    ["{allow_unlisted_tools: false}", "Read", {}, no("tool call 'Read' is not an allowed tool")],
    [
      "{allowed_tools: [Bash], allow_unlisted_tools: false, blocked_tools: [Bash]}",
      "Bash",
      {},
      no("tool call 'Bash' is a blocked tool"),
    ],
  ])("IO-160 with %s decides on %s with %j", async (policy, tool, input, decision) => {
    expect(await decided(await hooksOf(`hooks_server: ${policy}`), tool, input)).toBe(decision);
  });

  it.each<[string, string]>([
    ["another case", "bash"],
    ["a blank at its end", "Bash "],
    ["a blank at its start", " Bash"],
    ["a Cyrillic letter", "B\u0430sh"],
    ["a full-width letter", "\uff22ash"],
    ["a zero-width space", "Bash\u200b"],
    ["a combining mark", "Bash\u0301"],
    ["a NUL", "Bash\0"],
    ["a line's end", "Bash\n"],
    ["a name of Object.prototype", "constructor"],
    ["the name of its prototype", "__proto__"],
  ])("IO-160 compares names exactly: one with %s is another tool", async (_, tool) => {
    const blocks = await hooksOf("hooks_server: {blocked_tools: [Bash]}");
    expect(await decided(blocks, tool)).toBe("allow");
    const allows = await hooksOf(
      "hooks_server: {allowed_tools: [Bash], allow_unlisted_tools: false}",
    );
    const found = await decided(allows, tool);
    expect(found).toMatch(/ is not an allowed tool$/);
    // Nothing of the name but printable ASCII.
    expect(found).toMatch(/^[\x20-\x7e]+$/);
  });

  const blocked = no("tool call 'Bash' passes the blocked argument 'background'");
  const value = no("tool call 'Bash' passes a blocked value of the argument 'mode'");
  it.each<[string, object, string]>([
    ["[background, sandbox]", { command: "ls" }, "allow"],
    ["[background, sandbox]", { command: "ls", background: false }, blocked],
    ["[background, sandbox]", { background: null, sandbox: 1 }, blocked],
    ["[background]", { Background: true, "background ": true }, "allow"],
    ["{mode: write}", { mode: "read" }, "allow"],
    ["{mode: write}", {}, "allow"],
    ["{mode: write}", { mode: "write" }, value],
    ["{mode: [write, 1, true]}", { mode: 1.0 }, value],
    ["{mode: [write, 1, true]}", { mode: "true" }, value],
    ["{mode: [write, 1, true]}", { mode: "read" }, "allow"],
    ["{mode: true}", { mode: "true" }, value],
    ["{mode: true}", { mode: 1 }, value],
    ["{mode: true}", { mode: false }, "allow"],
    ["{mode: [600000]}", { mode: "600000" }, value],
    ["{mode: [600000]}", { mode: 5 }, "allow"],
    ["{mode: write}", { mode: ["write"] }, value],
    ["{mode: write}", { mode: { toString: "write" } }, value],
    ["{mode: write}", { mode: null }, value],
  ])(
    "IO-160 blocks a call that passes any argument of an entry of blocked_tools: %s, %j",
    async (names, input, decision) => {
      const handle = await hooksOf(
        `hooks_server: {blocked_tools: [{name: Bash, arguments: ${names}}]}`,
      );
      expect(await decided(handle, "Bash", input)).toBe(decision);
      expect(await decided(handle, "Read", input)).toBe("allow");
    },
  );

  const other = no("tool call 'Search' passes an argument that is not allowed");
  const wrong = no("tool call 'Search' passes a value of the argument 'mode' that is not allowed");
  it.each<[string, object, string]>([
    ["[query]", { query: "tea" }, "allow"],
    ["[query]", {}, "allow"],
    ["[query]", { query: "tea", page: 2 }, other],
    ["[query]", { "query ": "tea" }, other],
    ["[query]", { constructor: 1 }, other],
    ["{mode: [fast, slow]}", { mode: "fast" }, "allow"],
    ["{mode: [fast, slow]}", { mode: "Fast" }, wrong],
    ["{mode: [fast, slow]}", { mode: ["fast"] }, wrong],
    ["{mode: [fast, slow]}", { mode: "fast", query: "tea" }, other],
    ["{mode: fast}", {}, no("tool call 'Search' does not pass the argument 'mode'")],
  ])(
    "IO-160 allows of an entry of allowed_tools only what it names: %s, %j",
    async (names, input, decision) => {
      for (const unlisted of [true, false]) {
        const handle = await hooksOf(
          `hooks_server: {allowed_tools: [{name: Search, arguments: ${names}}], allow_unlisted_tools: ${unlisted}}`,
        );
        expect(await decided(handle, "Search", input)).toBe(decision);
      }
    },
  );

  it("IO-160 asks what is blocked before what is allowed, and needs both to let a call pass", async () => {
    const handle = await hooksOf(`
hooks_server:
  allowed_tools: [{name: Bash, arguments: [command, background]}]
  blocked_tools: [{name: Bash, arguments: [background]}]
  allow_unlisted_tools: false
`);
    expect(await decided(handle, "Bash", { command: "ls" })).toBe("allow");
    expect(await decided(handle, "Bash", { background: true })).toBe(blocked);
    expect(await decided(handle, "Bash", { other: 1 })).toBe(
      no("tool call 'Bash' passes an argument that is not allowed"),
    );
  });
});
