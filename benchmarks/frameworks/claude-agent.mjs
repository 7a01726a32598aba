import { fileURLToPath } from "node:url";
import { query } from "@anthropic-ai/claude-agent-sdk";

const pathToClaudeCodeExecutable = fileURLToPath(new URL("claude-program.mjs", import.meta.url));

/**
 * A session of the Claude Agent SDK with these hooks. The program behind it, which needs a
 * service, is played by a small one; the SDK, the pipes and their messages are real.
 */
export function claudeSession(options = {}) {
  let send;
  let ended = false;
  async function* prompt() {
    while (!ended) {
      const content = await new Promise((resolve) => {
        send = resolve;
      });
      if (content === undefined) return;
      yield { type: "user", message: { role: "user", content }, parent_tool_use_id: null };
    }
  }
  const messages = query({ prompt: prompt(), options: { ...options, pathToClaudeCodeExecutable } });
  return {
    /** Plays a turn, and tells what the model reads of each call. */
    async play(calls) {
      // The SDK reads the next message of the user when it is ready for it.
      while (send === undefined) await new Promise((resolve) => setImmediate(resolve));
      const sending = send;
      send = undefined;
      sending(JSON.stringify(calls));
      for (;;) {
        const { done, value } = await messages.next();
        if (done) throw new Error("The session ended.");
        if (value.type === "result") return JSON.parse(value.result);
      }
    },
    close() {
      ended = true;
      send?.();
      messages.close?.();
    },
  };
}
