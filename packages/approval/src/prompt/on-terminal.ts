import { userInfo } from "node:os";
import type { Readable, Writable } from "node:stream";
import { type OptionTable, object, optionError, readOptions, such } from "@toolstile/core/provider";
import { newAnswerCode } from "./answer-code.js";
import { nextLine, pastTyping } from "./next-line.js";
import type { ApprovalPrompt, PromptAnswer, ShownQuestion } from "./prompt.js";
import { isApproverName } from "./read-answer.js";

export interface OnTerminalOptions {
  /** The stream of the answers. Default `process.stdin`, which must be a terminal. */
  readonly input?: Readable | undefined;
  /** The stream of the questions. Default `process.stderr`. */
  readonly output?: Writable | undefined;
  /** The name of the person at the terminal. Default: the user that the process runs as. */
  readonly by?: string | undefined;
}

const terminalTable = {
  input: object<Readable>("a stream to read"),
  output: object<Writable>("a stream to write to"),
  by: such<string>(isApproverName, "a name, on one line"),
} satisfies OptionTable<OnTerminalOptions>;

/**
 * Asks whoever sits at the terminal, one question after the other.
 *
 * To approve, they type a code that is shown with the question and is another
 * each time: what was typed before a question was shown does not approve it,
 * whether or not Enter was pressed. The end of the input denies.
 */
export function onTerminal(options: OnTerminalOptions = {}): ApprovalPrompt {
  const { input, output, by } = readOptions("onTerminal()", options, terminalTable);
  const who = by ?? userInfo().username;
  if (!isApproverName(who)) {
    throw optionError("onTerminal()", "by", "a name, on one line", who);
  }
  let last: Promise<unknown> = Promise.resolve();
  let code = "";
  return Object.freeze<ApprovalPrompt>({
    name: "terminal",
    ask(shown, { signal }) {
      const turn = last.then(() => ask(shown, signal));
      last = turn.catch(() => {});
      return turn;
    },
  });

  async function ask(shown: ShownQuestion, signal: AbortSignal): Promise<PromptAnswer> {
    signal.throwIfAborted();
    const from = input ?? process.stdin;
    if (input === undefined && process.stdin.isTTY !== true) {
      return { decision: "denied", by: who, reason: "there is no terminal to ask at" };
    }
    const to = output ?? process.stderr;
    await pastTyping(from);
    code = newAnswerCode(code);
    const question = `To approve, type ${code}; to deny, type n: `;
    to.write(`\nA tool call needs your approval.\n\n${shown.text}\n`);
    if (shown.runs() > 1) to.write(together(shown.runs()));
    shown.onJoin((runs) => to.write(`\n${together(runs)}${question}`));
    for (;;) {
      to.write(question);
      const line = await nextLine(from, signal);
      if (signal.aborted) to.write("\nNobody waits for this any more.\n");
      signal.throwIfAborted();
      if (line === undefined) return { decision: "denied", by: who };
      const word = line.trim().toLowerCase();
      if (word === code) return { decision: "approved", by: who };
      if (word === "n" || word === "no") return { decision: "denied", by: who };
    }
  }
}

function together(runs: number): string {
  return `${runs} runs ask for just this: the answer is for each of them.\n`;
}
