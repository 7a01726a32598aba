/** A record's place among those of its session. */
export interface SessionNumber {
  readonly seq: number;
  /** On a session's first record: sessions forgotten by then, of which it may have been one. */
  readonly forgotten: number;
}

/**
 * Numbers each session's records from 1.
 *
 * At most `limit` sessions are remembered, in two generations: those used
 * since the last turn, and those used in the one before. The rest are
 * forgotten, and numbered from 1 again if they come back.
 */
export class SessionNumbers {
  readonly #half: number;
  #recent = new Map<string, number>();
  #older = new Map<string, number>();
  #forgotten = 0;

  constructor(limit: number) {
    this.#half = Math.max(1, Math.floor(limit / 2));
  }

  next(session: string): SessionNumber {
    const known = this.#recent.get(session);
    if (known !== undefined) return this.#count(session, known + 1);
    const last = this.#older.get(session) ?? 0;
    this.#older.delete(session);
    if (this.#recent.size >= this.#half) {
      this.#forgotten += this.#older.size;
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    return this.#count(session, last + 1);
  }

  get remembered(): number {
    return this.#recent.size + this.#older.size;
  }

  #count(session: string, seq: number): SessionNumber {
    this.#recent.set(session, seq);
    return { seq, forgotten: seq === 1 ? this.#forgotten : 0 };
  }
}
