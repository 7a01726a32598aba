import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { demo } from "../src/demo/demo.js";
import { main } from "../src/main.js";
import { capturedTerminal } from "./captured-terminal.js";

async function run(...argv: string[]) {
  const terminal = capturedTerminal();
  const code = await main(argv, terminal);
  return { code, ...terminal.written() };
}

afterEach(() => vi.restoreAllMocks());

describe("toolstile", () => {
  it("says its version", async () => {
    const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
    const { version } = JSON.parse(manifest) as { version: string };
    expect(await run("--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  it.each([["--help"], ["-h"], ["help"]])("lists its commands for %s", async (asked) => {
    const { code, out, err } = await run(asked);
    expect([code, err]).toEqual([0, ""]);
    for (const name of ["demo", "init", "check", "replay", "verify", "audit", "approvals"])
      expect(out).toContain(`  ${name} `);
  });

  it.each(["demo", "init", "check", "replay", "verify", "audit", "approvals"])(
    "explains %s with its exit codes and an example",
    async (name) => {
      const { code, out } = await run(name, "--help");
      expect(code).toBe(0);
      expect(out).toMatch(new RegExp(`^Usage: toolstile ${name}`));
      expect(out).toContain("Exit codes:");
      expect(out).toContain(`Example:\n  toolstile ${name}`);
      expect((await run("help", name)).out).toBe(out);
      expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    },
  );

  it.each([
    [["reply"], "There is no command 'reply'. Did you mean 'replay'?\nTry: toolstile --help\n"],
    [
      ["--versoin"],
      "There is no option '--versoin'. Did you mean '--version'?\nTry: toolstile --help\n",
    ],
    [["toString"], "There is no command 'toString'.\nTry: toolstile --help\n"],
    [["replay"], "Name a file to replay.\nTry: toolstile replay --help\n"],
    [
      ["replay", "--jason", "x"],
      "There is no option '--jason'. Did you mean '--json'?\nTry: toolstile replay --help\n",
    ],
    [["verify"], "Name the audit log to verify.\nTry: toolstile verify --help\n"],
    [["verify", "a", "b"], "One audit log at a time.\nTry: toolstile verify --help\n"],
    [["demo", "now"], "demo takes no arguments.\nTry: toolstile demo --help\n"],
  ])("answers %j with exit code 2 and the way out", async (argv, err) => {
    expect(await run(...argv)).toEqual({ code: 2, out: "", err });
  });

  it("shows its help as a complaint when called without a command", async () => {
    const { code, out, err } = await run();
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Usage: toolstile COMMAND");
  });

  it.each([
    [{ code: "ENOSPC", syscall: "write", path: "/full/x" }, "/full/x: the disk is full\n"],
    [{ code: "ENOSPC", syscall: "write" }, "toolstile demo: the disk is full\n"],
  ])("says in words what the system refuses, and ends with 1: %j", async (facts, err) => {
    vi.spyOn(demo, "run").mockRejectedValueOnce(Object.assign(new Error("ENOSPC"), facts));
    expect(await run("demo")).toEqual({ code: 1, out: "", err });
  });

  it("hides no fault of its own", async () => {
    vi.spyOn(demo, "run").mockRejectedValueOnce(new RangeError("a bug"));
    await expect(run("demo")).rejects.toThrow("a bug");
  });
});
