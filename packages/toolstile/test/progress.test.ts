import { describe, expect, it } from "vitest";
import { Progress } from "../src/terminal/progress.js";
import { capturedTerminal } from "./captured-terminal.js";

const mebibyte = 1 << 20;

describe("the progress of a large log", () => {
  it("is one line on a terminal, not more often than anybody sees, and taken away", () => {
    const terminal = capturedTerminal({ isTTY: true, tick: 50 });
    const progress = new Progress(terminal);
    for (let read = 1; read <= 4; read++)
      progress.showBytes("a\u001b.jsonl", read * mebibyte, 40 * mebibyte);
    progress.clear();
    const { err } = terminal.written();
    expect(err.split("\r\u001b[2K").slice(1)).toEqual([
      "a\\u{1b}.jsonl: 1 of 40 MiB, 2 %",
      "a\\u{1b}.jsonl: 3 of 40 MiB, 7 %",
      "",
    ]);
  });

  it.each([
    ["a small log", { isTTY: true }, mebibyte],
    ["no terminal", { isTTY: false }, 40 * mebibyte],
  ])("is silent for %s", (_, options, total) => {
    const terminal = capturedTerminal(options);
    const progress = new Progress(terminal);
    progress.showBytes("a", total, total);
    progress.clear();
    expect(terminal.written().err).toBe("");
  });
});
