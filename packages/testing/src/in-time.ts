import { AssertionError } from "node:assert";

// Kept from the start, so that a test with fake timers still ends.
const { setTimeout, clearTimeout } = globalThis;

/** The answer, or a failed assertion once the time is over. */
export async function inTime<T>(withinMs: number, answer: () => T | PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AssertionError({ message: `There was no answer within ${withinMs} ms.` }));
    }, withinMs);
  });
  try {
    return await Promise.race([answer(), late]);
  } finally {
    clearTimeout(timer);
  }
}
