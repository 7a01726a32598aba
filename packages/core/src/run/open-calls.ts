/**
 * The call ids that are open, by session.
 *
 * A model's id may repeat in later turns, but while a call of the same session
 * is open, a second one under its id would be told its result. When an id is
 * free again is said by the order of steps at the end of a call, in `steps.ts`.
 */
export class OpenCalls {
  readonly #most: number;
  /** The session of each open id, or the sessions, if several have it open. */
  readonly #sessions = new Map<string, Session | Set<Session>>();
  /**
   * One open call beside the map. Calls that come one after the other all use
   * it: a map that switches between empty and one entry rehashes each time.
   */
  #aside: string | undefined;
  #asideSession: Session;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** True if no more can be open at once. */
  get full(): boolean {
    return this.#count >= this.#most;
  }

  /** Adds an open call. @returns false if the session has the id open already. */
  add(session: Session, callId: string): boolean {
    if (this.#count === 0) {
      this.#aside = callId;
      this.#asideSession = session;
    } else {
      if (this.#aside === callId && this.#asideSession === session) return false;
      if (!this.#addToMap(session, callId)) return false;
    }
    this.#count++;
    return true;
  }

  /** Counts a call whose id no other can have. */
  addMinted(): void {
    this.#count++;
  }

  removeMinted(): void {
    this.#count--;
  }

  #addToMap(session: Session, callId: string): boolean {
    const there = this.#sessions.get(callId);
    if (there instanceof Set) {
      if (there.has(session)) return false;
      there.add(session);
    } else if (!this.#sessions.has(callId)) {
      this.#sessions.set(callId, session);
    } else {
      if (there === session) return false;
      this.#sessions.set(callId, new Set([there, session]));
    }
    return true;
  }

  remove(session: Session, callId: string): void {
    this.#count--;
    if (this.#aside === callId && this.#asideSession === session) {
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
