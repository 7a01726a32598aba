import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { onTerminal } from "../src/prompt/on-terminal.js";
import type { ShownQuestion } from "../src/prompt/prompt.js";
import { render } from "../src/render/render.js";
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
    while (codes().length < times) await new Promise<void>((resolve) => waiting.push(resolve));
  }
  /** What was to be typed to approve, each time that the terminal asked. */
  function codes(): readonly string[] {
    const shown = written.matchAll(/To approve, type (\w{4}); to deny, type n: /g);
    return Array.from(shown, ([, code]) => code as string);
  }
  const code = () => codes().at(-1) as string;
  return {
    input,
    written: () => written,
    asked,
    codes,
    code,
    prompt: onTerminal({ input, output, by }),
  };
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

it.each<[string, (code: string) => string, string]>([
  ["the code", (code) => code, "approved"],
  ["the code in capitals, and a space", (code) => `${code.toUpperCase()} `, "approved"],
  ["n", () => "n", "denied"],
  ["no", () => "no", "denied"],
])("reads %s as an answer, and says who it was", async (_, typed, decision) => {
  const { input, written, asked, code, prompt } = terminal();
  const { about } = shown();
  const answer = prompt.ask(about, { signal });
  await asked(1);
  input.write(`${typed(code())}\n`);
  expect(await answer).toEqual({ decision, by: "ann" });
  expect(written()).toContain(about.text);
});

it.each<[string, (code: string) => string]>([
  ["nothing", () => ""],
  ["y", () => "y"],
  ["yes", () => "yes"],
  ["approve", () => "approve"],
  ["half of the code", (code) => code.slice(0, 2)],
  ["the code twice", (code) => code + code],
  ["a y before the code", (code) => `y${code}`],
  ["words beside the code", (code) => `yes ${code}`],
])("P9 asks again, and approves nothing, after %s", async (_, typed) => {
  const { input, asked, code, prompt } = terminal();
  const answer = prompt.ask(shown().about, { signal });
  await asked(1);
  input.write(`${typed(code())}\n`);
  await asked(2);
  input.write("n\n");
  expect((await answer).decision).toBe("denied");
});

it("does not take what was typed before a question was shown for its answer", async () => {
  const { input, asked, prompt } = terminal();
  input.write("n\ny\nn\n");
  const answer = prompt.ask(shown().about, { signal });
  await asked(1);
  input.write("y\n");
  await asked(2);
  input.write("n\n");
  expect((await answer).decision).toBe("denied");
});

it("P9 takes no question's code for the answer to another", async () => {
  const { input, asked, codes, prompt } = terminal();
  for (let count = 1; count < 100; count += 2) {
    const answer = prompt.ask(shown().about, { signal });
    await asked(count);
    input.write(`${codes().at(-2) ?? "none"}\n`);
    await asked(count + 1);
    expect(codes().at(-1)).toBe(codes().at(-2));
    input.write(`${codes().at(-1)}\n`);
    expect((await answer).decision).toBe("approved");
  }
  expect(new Set(codes()).size).toBeGreaterThan(45);
});

it("asks one question after the other", async () => {
  const { input, written, asked, code, prompt } = terminal();
  const answers = [prompt.ask(shown().about, { signal }), prompt.ask(shown().about, { signal })];
  await asked(1);
  expect(written().split("needs your approval")).toHaveLength(2);
  input.write(`${code()}\n`);
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
  const { input, written, asked, code, prompt } = terminal();
  const { about, join } = shown(2);
  const answer = prompt.ask(about, { signal });
  await asked(1);
  expect(written()).toContain("2 runs ask for just this");
  join(3);
  await asked(2);
  expect(written()).toContain("3 runs ask for just this");
  input.write(`${code()}\n`);
  expect((await answer).decision).toBe("approved");
});

it("gives a question up when nobody waits for it any more, and goes on to the next", async () => {
  const { input, written, asked, code, prompt } = terminal();
  const controller = new AbortController();
  const first = prompt.ask(shown().about, { signal: controller.signal });
  const second = prompt.ask(shown().about, { signal });
  await asked(1);
  controller.abort();
  await expect(first).rejects.toThrow();
  expect(written()).toContain("Nobody waits for this any more");
  await asked(2);
  input.write(`${code()}\n`);
  expect((await second).decision).toBe("approved");
});

it("refuses a name that is none", () => {
  expect(() => onTerminal({ by: "ann\n" })).toThrow(/'by' must be a name/);
  expect(() => onTerminal({ bye: "ann" } as never)).toThrow(/Did you mean 'by'/);
});
