import { expect } from "vitest";
import { ToolstileError } from "../../src/errors/error.js";

/** The error that is thrown: a test fails where none is, or one of another kind. */
export function errorOf(act: () => unknown): ToolstileError {
  try {
    act();
  } catch (error) {
    if (error instanceof ToolstileError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** The message of what is thrown, at once or later; undefined if nothing is. */
export async function messageOf(act: () => unknown): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** What a guard's fault says, which no model and no record is to be told. */
export const secret = "hunter2";

export function throws(): never {
  throw new Error(secret);
}

/** What an error with this code looks like, whose message has these parts in this order. */
export const error = (code: string, ...parts: string[]) =>
  expect.objectContaining({
    code,
    message: expect.stringMatching(
      parts.map((part) => part.replace(/[.?()'[\]]/g, "\\$&")).join(".*"),
    ),
  });
