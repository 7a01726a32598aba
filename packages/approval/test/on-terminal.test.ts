import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { onTerminal } from "../src/on-terminal.js";
import type { ShownQuestion } from "../src/prompt.js";
import { render } from "../src/render.js";
import { question } from "./questions.js";

function terminal(by: string | undefined = "ann") {
  const input = new PassThrough();
  const output = new PassThrough();
  let written = "";
  const waiting: (() => void)[] = [];
  output.on("data", (chunk) => {
    written += chunk;
    for (const look of waiting.splice(0)) look();
  });
  /** Resolves once the terminal shows so many questions. */
  async function asked(times: number): Promise<void> {
    while (written.split("Approve? [y/n] ").length <= times) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }
  return { input, written: () => written, asked, prompt: onTerminal({ input, output, by }) };
}

function shown(runs = 1) {
  const listeners: ((runs: number) => void)[] = [];
  const from = question();
  const about: ShownQuestion = {
    question: from,
    text: render(from),
    expiresAt: 1_000,
    runs: () => runs,
    onJoin: (listener) => listeners.push(listener),
  };
  const join = (count: number): void => {
    for (const tell of listeners) tell(count);
  };
  return { about, join };
}

const { signal } = new AbortController();

it.each([
  ["y\n", "approved"],
  ["YES \n", "approved"],
  ["n\n", "denied"],
  ["no\n", "denied"],
])("reads %j as %s, and says who it was", async (typed, decision) => {
  const { input, written, asked, prompt } = terminal();
  const { about } = shown();
  const answer = prompt.ask(about, { signal });
  await asked(1);
  input.write(typed);
  expect(await answer).toEqual({ decision, by: "ann" });
  expect(written()).toContain(about.text);
});

it.each(["", "yep", "ja", "approve", "y y", "1"])("asks again after %j", async (typed) => {
  const { input, asked, prompt } = terminal();
  const answer = prompt.ask(shown().about, { signal });
  await asked(1);
  input.write(`${typed}\n`);
  await asked(2);
  input.write("n\n");
  expect((await answer).decision).toBe("denied");
});

it("does not take what was typed before a question was shown for its answer", async () => {
  const { input, asked, prompt } = terminal();
  input.write("y\ny\n");
  const answer = prompt.ask(shown().about, { signal });
  await asked(1);
  input.write("n\n");
  expect((await answer).decision).toBe("denied");
});

it("asks one question after the other", async () => {
  const { input, written, asked, prompt } = terminal();
  const answers = [prompt.ask(shown().about, { signal }), prompt.ask(shown().about, { signal })];
  await asked(1);
  expect(written().split("needs your approval")).toHaveLength(2);
  input.write("y\n");
  await asked(2);
  input.write("n\n");
  expect((await Promise.all(answers)).map(({ decision }) => decision)).toEqual([
    "approved",
    "denied",
  ]);
});

it("denies at the end of the input, and all that comes after", async () => {
  const { input, asked, prompt } = terminal();
  const answer = prompt.ask(shown().about, { signal });
  await asked(1);
  input.end();
  expect((await answer).decision).toBe("denied");
  expect((await prompt.ask(shown().about, { signal })).decision).toBe("denied");
});

it("says how many runs the answer is for, also when more join", async () => {
  const { input, written, asked, prompt } = terminal();
  const { about, join } = shown(2);
  const answer = prompt.ask(about, { signal });
  await asked(1);
  expect(written()).toContain("2 runs ask for just this");
  join(3);
  await asked(2);
  expect(written()).toContain("3 runs ask for just this");
  input.write("y\n");
  expect((await answer).decision).toBe("approved");
});

it("gives a question up when nobody waits for it any more, and goes on to the next", async () => {
  const { input, written, asked, prompt } = terminal();
  const controller = new AbortController();
  const first = prompt.ask(shown().about, { signal: controller.signal });
  const second = prompt.ask(shown().about, { signal });
  await asked(1);
  controller.abort();
  await expect(first).rejects.toThrow();
  expect(written()).toContain("Nobody waits for this any more");
  await asked(2);
  input.write("y\n");
  expect((await second).decision).toBe("approved");
});

it("refuses a name that is none", () => {
  expect(() => onTerminal({ by: "ann\n" })).toThrow(/'by' is a name/);
  expect(() => onTerminal({ bye: "ann" } as never)).toThrow(/Did you mean 'by'/);
});
