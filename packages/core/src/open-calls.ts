/**
 * The call ids that are open, by session.
 *
 * A model's id may repeat in later turns, but while a call of the same session
 * is open, a second one under its id would be told its result.
 */
export class OpenCalls {
  readonly #most: number;
  /** The session of each open id, or the sessions, where more than one has it open. */
  readonly #sessions = new Map<string, Session | Set<Session>>();
  /**
   * One open call beside the map. Calls that come one after the other all use
   * it: a map that keeps going from none to one and back rehashes each time.
   */
  #aside: { callId: string; session: Session } | undefined;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether no more can be open at once. */
  get full(): boolean {
    return this.#count >= this.#most;
  }

  /** @returns false when it is open already. */
  enter(session: Session, callId: string): boolean {
    if (this.#count === 0) {
      this.#aside = { callId, session };
    } else {
      if (this.#aside?.callId === callId && this.#aside.session === session) return false;
      if (!this.#enterMap(session, callId)) return false;
    }
    this.#count++;
    return true;
  }

  /** Count a call whose id nobody else can have. */
  hold(): void {
    this.#count++;
  }

  /** The end of a call that was only counted. */
  drop(): void {
    this.#count--;
  }

  #enterMap(session: Session, callId: string): boolean {
    const there = this.#sessions.get(callId);
    if (there instanceof Set) {
      if (there.has(session)) return false;
      there.add(session);
    } else if (there === undefined && !this.#sessions.has(callId)) {
      this.#sessions.set(callId, session);
    } else {
      if (there === session) return false;
      this.#sessions.set(callId, new Set([there, session]));
    }
    return true;
  }

  leave(session: Session, callId: string): void {
    this.#count--;
    if (this.#aside?.callId === callId && this.#aside.session === session) {
      this.#aside = undefined;
      return;
    }
    const there = this.#sessions.get(callId);
    if (there instanceof Set) {
      there.delete(session);
      if (there.size > 0) return;
    }
    this.#sessions.delete(callId);
  }
}

type Session = string | undefined;
