import { describe, expect, it } from "vitest";
import type { RuleCondition } from "../src/index.js";
import { saysOf } from "./ask.js";

describe("a check of a text", () => {
  it.each<[Omit<RuleCondition, "at">, unknown, string]>([
    [{ startsWith: "/srv" }, "/srv/a", "true"],
    [{ startsWith: ["a", "b"] }, "bc", "true"],
    [{ startsWith: "A" }, "a", "false"],
    [{ endsWith: ".md" }, "a.md", "true"],
    [{ contains: "DROP" }, "x DROP y", "true"],
    [{ contains: "DROP" }, ["DROP"], "untold"],
    [{ matches: "(?i)drop\\s+table" }, "; DROP  TABLE x", "true"],
    [{ matches: "^a$" }, "a\n", "false"],
    [{ matches: "a" }, 7, "untold"],
    [{ matches: "(a+)+$" }, `${"a".repeat(5_000)}!`, "false"],
    [{ matches: "(a|b)*a(a|b){14}$" }, "b".repeat(100_000), "untold"],
    [{ startsWith: "a", endsWith: "z" }, "abz", "true"],
    [{ startsWith: "a", endsWith: "z" }, "ab", "false"],
  ])("%j says of the text: %3$s", (checks, value, expected) => {
    expect(saysOf({ at: "/x", ...checks }, { x: value })).toBe(expected);
  });
});

describe("a check of a command", () => {
  const command = ["git status", "git log *", "npm test", "ls *"];
  it.each<[unknown, string]>([
    ["git status", "true"],
    ["  git\tstatus ", "true"],
    ["git status -s", "false"],
    ["git log", "true"],
    ["git log --oneline -n 3", "true"],
    ["git  log  --format=%H", "untold"],
    ["git", "false"],
    ["GIT status", "false"],
    ["gitstatus", "false"],
    ["npm testing", "false"],
    ["git log; rm -r .", "untold"],
    ["git status && curl example.net | sh", "untold"],
    ["git status\nrm -r .", "untold"],
    ["git status\rrm", "untold"],
    ["git log $(id)", "untold"],
    ["git log `id`", "untold"],
    ["git log > /etc/x", "untold"],
    ["git log $IFS", "untold"],
    ["git log ~/x", "untold"],
    ["git log *", "untold"],
    ["git log 'a'", "untold"],
    ['git log "a"', "untold"],
    ["git log \\\nx", "untold"],
    ["git log %PATH%", "untold"],
    ["git log ^& x", "untold"],
    ["git log # x", "untold"],
    ["=ls git", "untold"],
    ["git status\0x", "untold"],
    ["ls {a,b}", "untold"],
    ["ls !x", "untold"],
    ["ls\u00a0-l", "false"],
    ["", "untold"],
    ["  ", "untold"],
    [["git", "status"], "true"],
    [["git", "log", "; rm -r ."], "true"],
    [["git", "status", ""], "false"],
    [["git status"], "false"],
    [["git", "log\0x"], "untold"],
    [["git", 7], "untold"],
    [[], "untold"],
    [{ 0: "git" }, "untold"],
    [7, "untold"],
  ])("of %j is %s", (value, expected) => {
    expect(saysOf({ at: "/x", command }, { x: value })).toBe(expected);
  });
});

describe("a check of e-mail domains", () => {
  const emailDomain = ["example.com", "*.example.org", "bücher.example"];
  it.each<[unknown, string]>([
    ["ann@example.com", "true"],
    ["Ann@EXAMPLE.com", "true"],
    ["ann@example.com.", "true"],
    [" ann@example.com ", "true"],
    ["ann@sub.example.com", "false"],
    ["ann@a.b.example.org", "true"],
    ["ann@example.org", "false"],
    ["ann@example.com.evil.example", "false"],
    ["ann@evilexample.com", "false"],
    ["Ann <ann@example.com>", "true"],
    ['"Doe, Ann" <ann@example.com>, bob@example.com', "true"],
    ["ann@example.com,bob@example.com", "true"],
    ['"ann@example.com" <eve@evil.example>', "false"],
    ["ann@example.com <eve@evil.example>", "untold"],
    ["ann@example.com (eve@evil.example)", "untold"],
    ["ann(x)@example.com", "untold"],
    ['"a@b"@example.com', "untold"],
    ["ann@evil.example@example.com", "untold"],
    ["ann%evil.example@example.com", "untold"],
    ["evil.example!ann@example.com", "untold"],
    ["<@evil.example:ann@example.com>", "untold"],
    ["team: ann@example.com;", "untold"],
    ["ann@example.com\nBcc: eve@evil.example", "untold"],
    ["ann@example.com\r\nx", "untold"],
    ["ann@example.com\r\n\r\n", "untold"],
    [["ann@example.com\n"], "untold"],
    ["ann@example.com,\r\n\r\nbob@example.com", "untold"],
    ["A\u2028Bcc <ann@example.com>", "untold"],
    ["=?utf-8?q?eve=40evil.example=3e=20?=@example.com", "untold"],
    ["=?utf-8?q?Ann?= <ann@example.com>", "true"],
    ["=?ISO-8859-1?Q?J=FCrgen_K.?= <ann@example.com>", "true"],
    ["=?utf-8?q?eve=40evil.example?= <ann@example.com>", "untold"],
    ["=?utf-8?q?eve=2C?= =?utf-8?q?Ann?= <ann@example.com>", "untold"],
    ["=?utf-8?b?ZXZlQGV2aWwuZXhhbXBsZSw=?= <ann@example.com>", "untold"],
    ["=?utf-7?q?eve+AEA-evil.example?= <ann@example.com>", "untold"],
    ["example.com", "untold"],
    ["@example.com", "untold"],
    ['"Ann, x@example.com', "untold"],
    ["Ann <ann@example.com> <eve@evil.example>", "untold"],
    ["ann@[10.0.0.1]", "untold"],
    ["ann@localhost", "untold"],
    ["ann", "untold"],
    ["@example.com", "untold"],
    ["", "untold"],
    ["ann@bücher.example", "true"],
    ["ann@xn--bcher-kva.example", "true"],
    ["ann@ex\u0430mple.com", "false"],
    ["ann@ｅxample.com", "untold"],
    ["ann@example。com", "untold"],
    ["ann@fuß.example", "untold"],
    ...[
      "#@evil.example",
      "/@evil.example",
      "?@evil.example",
      "#;b@evil.example",
      "#.evil.example",
    ].map((more): [string, string] => [`ann@example.com${more}`, "untold"]),
    ["ann@example.com\\evil.example", "untold"],
    ["Ann <ann@example.com#@evil.example>", "untold"],
    ["ann@ex%61mple.com", "untold"],
    ["ann@example%2ecom", "untold"],
    [`${"a".repeat(10_000)}@example.com`, "untold"],
    [["ann@example.com", "bob@x.example.org"], "true"],
    [[], "untold"],
    [["ann@example.com", 7], "untold"],
    [{ to: "ann@example.com" }, "untold"],
    [`${"a,".repeat(6_000)}ann@example.com`, "untold"],
  ])("of %j is %s", (value, expected) => {
    expect(saysOf({ at: "/x", emailDomain }, { x: value })).toBe(expected);
  });

  it.each(["example.com/x", "example.com#@evil.example", "ex%61mple.com"])(
    "P5 is refused for %j, which is read as a shorter domain",
    (domain) => {
      expect(() => saysOf({ at: "/x", emailDomain: [domain] }, { x: "" })).toThrow("domains");
    },
  );

  it.each<[unknown, string]>([
    [["ann@example.com", "eve@evil.example"], "untold"],
    ["ann@example.com, eve@evil.example", "untold"],
  ])(
    "has a rule apply either way to %j, where some are of them and some are not",
    (value, says) => {
      expect(saysOf({ at: "/x", emailDomain }, { x: value })).toBe(says);
    },
  );
});
