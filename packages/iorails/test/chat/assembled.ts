import { CompletionAssembler } from "../../src/chat/assembly.js";
import type { Completion } from "../../src/chat/message.js";
import { ModelError } from "../../src/errors.js";

export const choice = (delta: unknown, rest: object = {}): object => ({
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: null, ...rest }],
});
export const piece = (...entries: unknown[]): object => choice({ tool_calls: entries });
export const fn = (name: unknown, args?: unknown): object => ({
  function: { name, arguments: args },
});

export function assemble(chunks: readonly unknown[]): Completion {
  const assembler = new CompletionAssembler("main");
  for (const chunk of chunks) assembler.take(chunk);
  return assembler.end();
}

export function faultOf(chunks: readonly unknown[]): ModelError {
  try {
    assemble(chunks);
  } catch (error) {
    if (ModelError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
