import assert from "node:assert";
import type { Question } from "./question.js";

/** The shortest string that counts as a secret; shorter ones occur in any sentence. */
const shortest = 4;

/** Every longer string of the arguments and the result that is not a name of the call. */
export function secretsIn({ call, result }: Question): string[] {
  const names = [call.toolName, call.requestedName, call.callId, result?.name, result?.callId];
  const content = result?.content;
  // The type of a part is a word of the protocol.
  const said = Array.isArray(content) ? content.map(({ type: _, ...rest }) => rest) : content;
  return stringsOf([call.args, said, result?.structured], new Set()).filter(
    (text) => text.length >= shortest && !names.some((name) => name?.includes(text)),
  );
}

/** Fail if a verdict says one of the secrets anywhere but in what it hands on as modified. */
export function assertSaysNone(verdict: object, secrets: readonly string[], where: string): void {
  for (const [key, value] of Object.entries(verdict)) {
    if (key === "modifiedArgs" || key === "modifiedResult") continue;
    for (const text of stringsOf(value, new Set(), true)) {
      // The secret itself stays out of this message, too: it may be logged.
      const quotes = secrets.some((secret) => text.includes(secret));
      assert.ok(!quotes, `${where}: ${key} quotes a value of the call or its result.`);
    }
  }
}

function stringsOf(value: unknown, seen: Set<object>, withKeys = false): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  return Object.entries(value).flatMap(([key, member]) => [
    ...(withKeys ? [key] : []),
    ...stringsOf(member, seen, withKeys),
  ]);
}
