import { runInNewContext } from "node:vm";
import { describe, expect, it, vi } from "vitest";
import { errorCodes, ToolstileError } from "../src/errors/error.js";

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe("ToolstileError", () => {
  it("is an Error with a code, a name and no outcomes unless given", () => {
    const error = new ToolstileError("ERR_CLOSED", "The runner is closed.");
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("ToolstileError");
    expect(error.code).toBe("ERR_CLOSED");
    expect(error.message).toBe("The runner is closed.");
    expect(error.outcomes).toEqual([]);
    expect(Object.hasOwn(error, "cause")).toBe(false);
  });

  it("keeps a cause, also an undefined one, and outcomes", () => {
    const cause = new Error("below");
    expect(new ToolstileError("ERR_CLOSED", "x", { cause }).cause).toBe(cause);
    expect(
      Object.hasOwn(new ToolstileError("ERR_CLOSED", "x", { cause: undefined }), "cause"),
    ).toBe(true);
    const outcomes: never[] = [];
    expect(new ToolstileError("ERR_CLOSED", "x", { outcomes }).outcomes).toBe(outcomes);
  });

  it("shows nothing of the marker when it is printed or copied", () => {
    expect(Object.keys(new ToolstileError("ERR_CLOSED", "x")).sort()).toEqual([
      "code",
      "name",
      "outcomes",
    ]);
  });
});

describe("ToolstileError.isInstance", () => {
  it("knows its own, and those of another copy of the package", async () => {
    expect(ToolstileError.isInstance(new ToolstileError("ERR_CLOSED", "x"))).toBe(true);
    vi.resetModules();
    const copy = await import("../src/errors/error.js");
    const theirs = new copy.ToolstileError("ERR_CLOSED", "x");
    expect(theirs).not.toBeInstanceOf(ToolstileError);
    expect(ToolstileError.isInstance(theirs)).toBe(true);
  });

  it.each([
    ["another error", new Error("x")],
    ["an object that only looks like one", { name: "ToolstileError", code: "ERR_CLOSED" }],
    ["an object with the marker", { [Symbol.for("toolstile.error")]: true }],
    ["an error that inherits the marker", marked()],
    ["an error of another realm", runInNewContext("new Error('x')")],
    ["null", null],
    ["undefined", undefined],
  ])("does not know %s", (_, value) => {
    expect(ToolstileError.isInstance(value)).toBe(false);
  });
});

function marked(): Error {
  const holder = Object.create(Error.prototype, {
    [Symbol.for("toolstile.error")]: { value: true },
  });
  return Object.setPrototypeOf(new Error("x"), holder);
}

describe("errorCodes", () => {
  it("are sorted, unique and of one form", () => {
    expect([...errorCodes].sort()).toEqual([...errorCodes]);
    expect(new Set(errorCodes).size).toBe(errorCodes.length);
    for (const code of errorCodes) expect(code).toMatch(/^ERR(_[A-Z]+)+$/);
  });
});

describe("an error of Toolstile's", () => {
  it("is not what cannot be asked", () => {
    expect(ToolstileError.isInstance(revoked())).toBe(false);
    expect(ToolstileError.isInstance(new Error("x"))).toBe(false);
    expect(ToolstileError.isInstance({})).toBe(false);
  });
});
