/** Counts of questions and answers, as far as this process saw them. */
export interface ApprovalStatistics {
  /** Denials that were asked to be lifted. */
  readonly questions: number;
  /** Questions put before somebody; those that were alike and open at once count as one. */
  readonly prompts: number;
  readonly approved: number;
  readonly denied: number;
  /** Questions whose time was over before an answer, or whose answer came too late. */
  readonly expired: number;
  /** Denied before anybody was asked: too many were open, or it could not be kept. */
  readonly refused: number;
  /** Grants that were used up. */
  readonly used: number;
  /** Calls that `approvals.observer` saw. */
  readonly calls: number;
  /** Nothing where the observer saw no call. */
  readonly promptsPer100Calls: number | undefined;
}

type Counted = Exclude<keyof ApprovalStatistics, "promptsPer100Calls">;

/** Counters of one approver. */
export class Tally {
  readonly #counts = new Map<Counted, number>();

  count(what: Counted): void {
    this.#counts.set(what, this.#of(what) + 1);
  }

  read(): ApprovalStatistics {
    const calls = this.#of("calls");
    const prompts = this.#of("prompts");
    return Object.freeze({
      questions: this.#of("questions"),
      prompts,
      approved: this.#of("approved"),
      denied: this.#of("denied"),
      expired: this.#of("expired"),
      refused: this.#of("refused"),
      used: this.#of("used"),
      calls,
      promptsPer100Calls: calls === 0 ? undefined : (prompts * 100) / calls,
    });
  }

  #of(what: Counted): number {
    return this.#counts.get(what) ?? 0;
  }
}
