import type { ConversationReport } from "./finding.js";
import { PolicyTally } from "./policy-tally.js";

/** The counts of one file, or of all of them. */
export class Tally {
  conversations = 0;
  calls = 0;
  results = 0;
  /** Messages with something that is not read. */
  unread = 0;
  /** Milliseconds that it took. */
  elapsed = 0;
  readonly policy = new PolicyTally();
  readonly #codes = new Map<string, number>();

  count({ calls, results, unread, findings, ruled }: ConversationReport): void {
    this.conversations++;
    this.calls += calls;
    this.results += results;
    this.unread += unread;
    for (const { code } of findings) this.#add(code, 1);
    for (const call of ruled) this.policy.count(call);
  }

  include(other: Tally): void {
    this.conversations += other.conversations;
    this.calls += other.calls;
    this.results += other.results;
    this.unread += other.unread;
    this.elapsed += other.elapsed;
    this.policy.include(other.policy);
    for (const [code, findings] of other.codes) this.#add(code, findings);
  }

  #add(code: string, findings: number): void {
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + findings);
  }

  /** Findings by code, in the order of the alphabet. */
  get codes(): readonly (readonly [code: string, findings: number])[] {
    return [...this.#codes].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  get findings(): number {
    return this.codes.reduce((sum, [, findings]) => sum + findings, 0);
  }

  /** As `--json` prints it. */
  toJSON(): object {
    const { conversations, calls, results } = this;
    return { conversations, calls, results, codes: Object.fromEntries(this.codes) };
  }
}
