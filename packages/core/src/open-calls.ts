/**
 * The call ids that are open, by session.
 *
 * A model's id may repeat in later turns, but while a call of the same session
 * is open, a second one under its id would be told its result.
 */
export class OpenCalls {
  readonly #most: number;
  readonly #sessions = new Map<string, Set<string | undefined>>();
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether no more can be open at once. */
  get full(): boolean {
    return this.#count >= this.#most;
  }

  /** @returns false when it is open already. */
  enter(sessionId: string | undefined, callId: string): boolean {
    const sessions = this.#sessions.get(callId);
    if (sessions === undefined) this.#sessions.set(callId, new Set([sessionId]));
    else if (sessions.has(sessionId)) return false;
    else sessions.add(sessionId);
    this.#count++;
    return true;
  }

  leave(sessionId: string | undefined, callId: string): void {
    const sessions = this.#sessions.get(callId);
    if (sessions?.delete(sessionId) !== true) return;
    this.#count--;
    if (sessions.size === 0) this.#sessions.delete(callId);
  }
}
