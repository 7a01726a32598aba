import type { Question } from "./question.js";

/** The values that an attacker who can write to `Object.prototype` would plant. */
const words: readonly (readonly [string, unknown])[] = [
  ["decision", "allow"],
  ["modifiedArgs", { planted: true }],
  ["modifiedResult", { content: "planted" }],
  ["reason", "planted"],
  ["code", "planted"],
  ["replacement", "planted"],
  ["metadata", { planted: true }],
  ["args", { planted: true }],
  ["agentName", "planted"],
  ["principal", "planted"],
  ["tenant", "planted"],
  ["sessionId", "planted"],
  ["attributes", { planted: true }],
  ["allow", ["planted"]],
  ["tools", ["planted"]],
  ["allowed", true],
  ["enabled", false],
  ["isError", false],
  ["structured", { planted: true }],
];

const contextWords = new Set(["principal", "tenant", "sessionId", "attributes"]);

/** Names that the language itself looks up: planting those breaks the test runner and not the guard. */
const languageWords = new Set(
  "value get set writable enumerable configurable then next done return throw length".split(" "),
);

/** Data for `Object.prototype`: the words of verdicts and calls, and whatever the arguments are called. */
export function plantedData(args: readonly object[]): Map<string, unknown> {
  const planted = new Map(words);
  for (const [key, value] of args.flatMap((each) => Object.entries(each))) {
    if (!languageWords.has(key)) planted.set(key, value);
  }
  for (const key of Object.getOwnPropertyNames(Object.prototype)) planted.delete(key);
  return planted;
}

/** The way out for a guard that took planted data for what it was given. */
export function plantedHint(key: string, questions: readonly Question[]): string {
  const named = JSON.stringify(key);
  if (questions.some(({ call }) => Object.hasOwn(call.args, key))) {
    return `Read arguments by own property: Object.hasOwn(args, ${named}).`;
  }
  if (contextWords.has(key)) {
    return `Read facts of the host by own property: Object.hasOwn(call.context, ${named}).`;
  }
  return `Read calls, results and options by own property, with Object.hasOwn and ${named}.`;
}

/** Do something while data is planted on `Object.prototype`, and take it away again. */
export async function whilePlanted<T>(
  data: ReadonlyMap<string, unknown>,
  act: () => Promise<T>,
): Promise<T> {
  for (const [key, value] of data) {
    Object.defineProperty(Object.prototype, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
  try {
    return await act();
  } finally {
    for (const key of data.keys()) Reflect.deleteProperty(Object.prototype, key);
  }
}
