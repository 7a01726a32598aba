import { checkLinkage } from "../src/index.js";

export const named = (name: string, id?: unknown) => ({ id, type: "function", function: { name } });
export const asks = (...calls: unknown[]) => ({
  role: "assistant",
  content: null,
  tool_calls: calls,
});
export const answers = (id: unknown, more: object = {}) => ({
  role: "tool",
  tool_call_id: id,
  content: "secret content",
  ...more,
});
export const user = { role: "user", content: "secret content" };
export const text = { role: "assistant", content: "secret content" };

/** The codes of what is found, each with the place of its message and call. */
export const found = (messages: unknown, options = {}) =>
  checkLinkage(messages, options).map(({ code, index, callIndex }) =>
    callIndex === undefined ? `${code} ${index}` : `${code} ${index}.${callIndex}`,
  );
