import { ToolstileError } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { complaint, isExplained, reasonOf } from "../src/terminal/file-error.js";

const full = Object.assign(new Error("ENOSPC: /secret"), { code: "ENOSPC", syscall: "write" });

describe("reasonOf", () => {
  it("says in words what the system and the library say", () => {
    expect(reasonOf(full)).toBe("the disk is full");
    expect(reasonOf(new ToolstileError("ERR_CLOSED", "It is closed."))).toBe("It is closed.");
    expect([isExplained(full), isExplained(new RangeError("x"))]).toEqual([true, false]);
  });

  it.each([new RangeError("hunter2"), "hunter2", undefined])(
    "names the kind of anything else, and not its text: %s",
    (error) => {
      expect(reasonOf(error)).toMatch(
        /^it cannot be read or written \((RangeError|string|undefined)\)$/,
      );
    },
  );

  it("gives a terminal nothing to obey", () => {
    const error = new ToolstileError("ERR_CLOSED", "a\u001b[2J\u009b2Jb");
    expect(complaint("\u001bx\n", error)).toBe("\\u{1b}x\\u{a}: a\\u{1b}[2J\\u{9b}2Jb\n");
  });
});
