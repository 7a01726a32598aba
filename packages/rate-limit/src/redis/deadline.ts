/** The clock that waiting is timed by: the system's, or a test's. */
export interface RedisStoreClock {
  /** Milliseconds that never go back, from any zero. */
  readonly now: () => number;
  readonly setTimeout: (run: () => void, ms: number) => unknown;
  readonly clearTimeout: (timer: unknown) => void;
}

/** The server did not answer in time, or what came was no answer. */
export const noAnswer = Symbol("no answer");

const firstProbeMs = 50;
const longestProbeMs = 1_000;
/** Clients queue what they cannot send. Beyond this many nothing more is queued. */
const mostUnanswered = 100;

/**
 * Asks the server, and never waits longer than a fixed time.
 *
 * Once an answer is late nothing is sent but a probe now and then, and whoever
 * asks is told at once: a server that hangs must cost callers no time, and the
 * client's queue no memory.
 */
export class Deadline {
  readonly #clock: RedisStoreClock;
  readonly #waitMs: number;
  readonly #firstWaitMs: number;
  /** The end of the time in which the first answer may come; nothing once it came. */
  #firstUntil: number | undefined = Number.POSITIVE_INFINITY;
  #overdue = 0;
  #isLate = false;
  #nextProbe = 0;
  #probeMs = firstProbeMs;

  /** @param firstWaitMs From the first question on, until any is answered: to connect, and to send scripts, takes longer. */
  constructor(clock: RedisStoreClock, waitMs: number, firstWaitMs: number) {
    this.#clock = clock;
    this.#waitMs = waitMs;
    this.#firstWaitMs = firstWaitMs;
  }

  /** True if a question asked now is sent: always, but while answers are late only for a probe now and then. */
  mayAsk(): boolean {
    if (!this.#isLate) return true;
    const now = this.#clock.now();
    if (now < this.#nextProbe || this.#overdue >= mostUnanswered) return false;
    this.#nextProbe = now + this.#probeMs;
    this.#probeMs = Math.min(longestProbeMs, this.#probeMs * 2);
    return true;
  }

  /**
   * Resolves to the result of `read`, or to `noAnswer` if the answer is not there in time; never rejects.
   *
   * `read` is told of every answer when it arrives, a late one too, and gets
   * `noAnswer` when it is sure that none will come.
   */
  ask<T>(
    send: () => Promise<unknown>,
    read: (answer: unknown, isLate: boolean) => T,
  ): Promise<T | typeof noAnswer> {
    return new Promise((resolve) => {
      let isOver = false;
      const giveUp = (): void => {
        if (isOver) return;
        isOver = true;
        this.#overdue += 1;
        if (!this.#isLate) {
          this.#isLate = true;
          this.#nextProbe = this.#clock.now() + this.#probeMs;
        }
        resolve(noAnswer);
      };
      // After a pause of this process timers come before what the network brought: let that be read.
      const timer = this.#clock.setTimeout(() => setImmediate(giveUp), this.#wait());
      const end = (answer: unknown): void => {
        const isLate = isOver;
        isOver = true;
        if (isLate) this.#overdue -= 1;
        else this.#clock.clearTimeout(timer);
        if (answer !== noAnswer) {
          this.#firstUntil = undefined;
          this.#isLate = false;
          this.#probeMs = firstProbeMs;
        }
        resolve(read(answer, isLate));
      };
      send().then(end, () => end(noAnswer));
    });
  }

  #wait(): number {
    if (this.#firstUntil === undefined) return this.#waitMs;
    const now = this.#clock.now();
    this.#firstUntil = Math.min(this.#firstUntil, now + this.#firstWaitMs);
    return Math.max(this.#waitMs, this.#firstUntil - now);
  }
}
