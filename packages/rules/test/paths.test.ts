import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RuleCondition } from "../src/index.js";
import { saysOf } from "./ask.js";

describe("a path under a folder", () => {
  const pathUnder = ["/srv/docs", "/home/ann/"];
  it.each<[unknown, string]>([
    ["/srv/docs", "true"],
    ["/srv/docs/", "true"],
    ["/srv/docs/a.md", "true"],
    ["/srv//docs/./a.md", "true"],
    ["/home/ann/x", "true"],
    ["/srv/docs-old/a.md", "false"],
    ["/srv", "false"],
    ["/", "false"],
    ["/srv/docs/../secret", "untold"],
    ["/srv/docs/..", "untold"],
    ["/x/../srv/docs/a", "untold"],
    ["/srv/docs/...", "true"],
    ["/srv/docs/..a", "true"],
    ["srv/docs/a.md", "untold"],
    ["~/docs", "untold"],
    ["", "untold"],
    ["//srv/docs/a", "untold"],
    ["///srv/docs/a", "true"],
    ["/srv/docs/a\0.md", "untold"],
    ["/srv/docs/..\\..\\x", "untold"],
    ["/srv/docs\\a", "untold"],
    ["C:\\srv\\docs", "untold"],
    ["/srv/docs/%2e%2e/x", "untold"],
    ["/srv/docs/..%2fx", "untold"],
    ["/srv/docs/%2E.%5cx", "untold"],
    ["/srv/docs/a%00.md", "untold"],
    ["/srv/docs/100%25", "true"],
    ["/SRV/docs/a", "untold"],
    ["/srv/Docs-old", "false"],
    ["/srv/\uff44ocs/a", "untold"],
    ["file:///srv/docs/a", "untold"],
    [["/srv/docs/a"], "untold"],
    [7, "untold"],
  ])("of %j is %s", (value, expected) => {
    expect(saysOf({ at: "/x", pathUnder }, { x: value })).toBe(expected);
  });

  it.each<[string, string]>([
    ["C:\\docs\\a.md", "true"],
    ["c:/DOCS/a.md", "true"],
    ["C:\\docs\\..\\x", "untold"],
    ["D:\\docs\\a", "false"],
    ["C:\\docs-old", "false"],
    ["C:docs\\a", "untold"],
    ["\\docs\\a", "untold"],
    ["\\\\server\\docs\\a", "untold"],
    ["\\\\?\\C:\\docs\\a", "untold"],
    ["C:\\docs\\a.", "untold"],
    ["C:\\docs \\a", "untold"],
    ["C:\\docs\\a::$DATA", "untold"],
    ["C:\\docs\\con", "untold"],
    ["C:\\docs\\NUL.txt", "untold"],
    ["C:\\docs\\com1", "untold"],
    ["C:\\docs\\console.txt", "true"],
    ["C:\\DOCS~1\\a", "untold"],
    ["/docs/a", "untold"],
  ])("of Windows of %j is %s", (value, expected) => {
    expect(saysOf({ at: "/x", pathUnder: ["C:\\docs"] }, { x: value })).toBe(expected);
  });

  it("is never said of a path that leads elsewhere once it is resolved", () => {
    const step = fc.constantFrom(
      "srv",
      "docs",
      "..",
      ".",
      "",
      "a",
      "..a",
      "docs-old",
      "%2e%2e",
      "a\\b",
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), fc.boolean(), (steps, rooted) => {
        const path = `${rooted ? "/" : ""}${steps.join("/")}`;
        if (saysOf({ at: "/x", pathUnder: ["/srv/docs"] }, { x: path }) !== "true") return;
        const { pathname } = new URL(`file://${path.replace(/^\/+/, "/")}`);
        expect(`${pathname}/`.replace(/\/+/g, "/")).toMatch(/^\/srv\/docs\//);
      }),
    );
  });
});

describe("the names in a path", () => {
  const pathHas = [".env", "*.key", ".git"];
  it.each<[unknown, string]>([
    ["/srv/.env", "true"],
    ["/srv/.ENV", "true"],
    ["/srv/.env/x", "true"],
    ["/srv/tls.Key", "true"],
    ["/srv/.key", "true"],
    ["/srv/tls.key.md", "false"],
    [".git/config", "true"],
    ["/srv/.environment", "false"],
    ["/srv/../.env", "untold"],
    ["/srv\\.env", "untold"],
    ["C:\\srv\\.env", "true"],
    ["C:\\srv\\.env.", "untold"],
    ["/srv/.env\0", "untold"],
    ["/srv/\uff0eenv", "true"],
    ["C:.env", "true"],
    [".env::$DATA", "true"],
    [".env.", "true"],
    ["/srv/.env /x", "true"],
    ["/srv/.g\u200cit/config", "true"],
    ["GIT~1/config", "untold"],
    ["/srv/a~b", "false"],
    ["/srv/a:b.", "false"],
    [7, "untold"],
    [`/srv/${".".repeat(200)}x`, "false"],
  ])("of %j are %s", (value, expected) => {
    expect(saysOf({ at: "/x", pathHas }, { x: value })).toBe(expected);
  });
});

describe("a path that some programs read in another way", () => {
  const secret = { at: "/x", pathUnder: ["/srv/secret"] };
  const names = { at: "/x", pathHas: [".env", "*.key"] };
  it.each<[RuleCondition, string, string]>([
    [secret, "/srv/secret\n", "untold"],
    [secret, "/srv/secret \t", "untold"],
    [secret, "\t/srv/secret/a", "untold"],
    [secret, "/srv/secret/a\n", "true"],
    [secret, "/srv/s%65cret/a", "untold"],
    [secret, "/srv/s%2565cret/a", "untold"],
    [secret, `/srv/s%${"25".repeat(9)}65cret/a`, "untold"],
    [secret, "/srv/secret/a%20b", "true"],
    [secret, "/srv/secret/%C0%AE%C0%AE/a", "untold"],
    [secret, "/srv/open/a%20b", "false"],
    [secret, "/srv/x/\uff0e\uff0e/secret/a", "untold"],
    [secret, "/srv/x/\u2025/secret/a", "untold"],
    [secret, "/srv\uff0fsecret/a", "untold"],
    [secret, "/srv/x\uff3c..\uff3csecret", "untold"],
    [secret, "/srv/secret/Report\u2026.pdf", "true"],
    [names, ".env\n", "untold"],
    [names, " .env", "untold"],
    [names, "/srv/tls.key\u00a0", "untold"],
    [names, "/srv/.%65nv", "untold"],
    [names, "/srv/tls.ke%79%0a", "untold"],
    [names, "file:///srv/.env?raw", "untold"],
    [names, "file:///srv/.%65nv#1", "untold"],
    [names, "file:///srv/a.md?x=/.env", "untold"],
    [names, "file:///srv/a%20b.md?x#y", "false"],
    [names, "/srv/.env#1", "false"],
    [names, "/srv/dir\uff0f.env", "untold"],
    [names, " /srv/a b.md ", "false"],
    [{ at: "/x", pathHas: ["public"] }, "/srv/%70ublic/a", "untold"],
    [{ at: "/x", pathUnder: ["C:\\secret"] }, "C:\\s%65cret\\a", "untold"],
  ])("%j is of %j %s", (condition, value, expected) => {
    expect(saysOf(condition, { x: value })).toBe(expected);
  });
});

describe("names that another file system takes for one", () => {
  it.each<[RuleCondition, string, string]>([
    [{ at: "/x", pathHas: [".ssh"] }, "/Users/ann/.\u00dfh/id", "true"],
    [{ at: "/x", pathHas: ["passwords.txt"] }, "pa\u00dfwords.txt", "true"],
    [{ at: "/x", pathUnder: ["/Users/ann/.ssh"] }, "/Users/ann/.\u00dfh/id", "untold"],
    [{ at: "/x", pathUnder: ["/srv/secret"] }, "/srv/sec\u200cret/a", "untold"],
    [{ at: "/x", pathUnder: ["C:\\ΟΔΟΣ"] }, "C:\\οδοσ\\a", "true"],
    [{ at: "/x", pathUnder: ["C:\\ΟΔΟΣ"] }, "C:\\οδος\\a", "true"],
    [{ at: "/x", pathUnder: ["C:\\strasse"] }, "C:\\stra\u00dfe\\a", "untold"],
    [{ at: "/x", pathUnder: ["/srv/ΟΔΟΣ"] }, "/srv/οδος/a", "untold"],
  ])("%j is of %j %s", (condition, value, expected) => {
    expect(saysOf(condition, { x: value })).toBe(expected);
  });
});

describe("a path under a folder once links are followed", () => {
  function tree(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolstile-rules-")));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "docs", "sub"), { recursive: true });
    mkdirSync(join(folder, "secret"));
    writeFileSync(join(folder, "docs", "a.md"), "");
    symlinkSync(join(folder, "secret"), join(folder, "docs", "out"));
    symlinkSync(join(folder, "docs", "sub"), join(folder, "docs", "in"));
    symlinkSync(join(folder, "secret", "new.txt"), join(folder, "docs", "dangling"));
    symlinkSync(join(folder, "docs", "loop"), join(folder, "docs", "loop"));
    symlinkSync(join(folder, "docs"), join(folder, "alias"));
    return folder;
  }

  it.each<[string, string]>([
    ["docs/a.md", "true"],
    ["docs/new/file.md", "true"],
    ["docs/in/x", "true"],
    ["alias/a.md", "true"],
    ["docs/out/x", "false"],
    ["docs/out", "false"],
    ["secret/x", "false"],
    ["docs/out/new/file.md", "false"],
    ["docs/dangling", "untold"],
    ["docs/dangling/", "untold"],
    ["docs/dangling//", "untold"],
    ["docs//./dangling/.", "untold"],
    ["docs/", "true"],
    ["docs/dangling/x", "untold"],
    ["docs/loop/x", "untold"],
    ["docs/../docs/a.md", "untold"],
    ["docs/a.md/x", "untold"],
  ])("of %s is %s", (path, expected) => {
    const folder = tree();
    const condition = { at: "/x", realPathUnder: [join(folder, "docs")] };
    expect(saysOf(condition, { x: `${folder}/${path}` })).toBe(expected);
  });

  it("follows the links in the name of the folder too", () => {
    const folder = tree();
    const condition = { at: "/x", realPathUnder: [join(folder, "alias")] };
    expect(saysOf(condition, { x: join(folder, "docs", "a.md") })).toBe("true");
  });

  it("P18 is asked of a hundred paths of a call, and is undecided for more", () => {
    const folder = tree();
    const condition = { at: "/x/*", realPathUnder: [join(folder, "docs")] };
    const paths = (count: number) => ({ x: new Array(count).fill(join(folder, "docs", "a.md")) });
    expect(saysOf(condition, paths(100))).toBe("true");
    expect(saysOf(condition, paths(101))).toBe("untold");
  });

  it("cannot be told of a path that is not absolute", () => {
    expect(saysOf({ at: "/x", realPathUnder: ["/"] }, { x: "docs/a.md" })).toBe("untold");
  });
});
