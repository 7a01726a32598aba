import { createInterface, type Interface } from "node:readline";
import type { Readable } from "node:stream";

/** Asks at a terminal, line by line: nothing is drawn over, so that a screen reader can follow. */
export class Asker implements Disposable {
  readonly #lines: Interface;
  readonly #answers: AsyncIterator<string>;
  readonly #say: (text: string) => void;

  constructor(input: Readable, say: (text: string) => void) {
    this.#lines = createInterface({ input, terminal: false });
    this.#answers = this.#lines[Symbol.asyncIterator]();
    this.#say = say;
  }

  [Symbol.dispose](): void {
    this.#lines.close();
  }

  /** The typed line; the suggestion if it is empty. */
  async text(question: string, suggestion: string): Promise<string> {
    this.#say(`${question} (${suggestion}): `);
    return (await this.#line()) || suggestion;
  }

  /** One of the answers, by its number or its name. Asks again for anything else, unless the input has ended. */
  async choice(
    question: string,
    answers: readonly { readonly name: string; readonly summary: string }[],
  ): Promise<string> {
    const width = answers.reduce((widest, { name }) => Math.max(widest, name.length), 0);
    const lines = answers.map(
      ({ name, summary }, index) => `  ${index + 1}  ${name.padEnd(width)}  ${summary}\n`,
    );
    this.#say(`${question}\n${lines.join("")}`);
    for (;;) {
      this.#say(`1 to ${answers.length}, or a name (1): `);
      const line = await this.#line();
      const chosen = answers.find(({ name }, index) => line === name || line === `${index + 1}`);
      if (chosen !== undefined) return chosen.name;
      if (!line) return answers[0]?.name ?? "";
      this.#say("That is none of them. ");
    }
  }

  /** Nothing once the input has ended. */
  async #line(): Promise<string | undefined> {
    const { value, done } = await this.#answers.next();
    return done ? undefined : String(value).trim();
  }
}
