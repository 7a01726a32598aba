import type { CallerSignal } from "@toolstile/core/provider";
import { drain, type Reader } from "./drain.js";
import { aborted, endless, failed, malformed, timedOut } from "./failures.js";
import type { HttpPorts, Route } from "./ports.js";

type Read = Awaited<ReturnType<Reader["read"]>>;

export interface ReadLimits {
  /** After decompression. */
  readonly bytes: number;
  /** Each read has the route's time for itself, and all of them ten times as much; else the attempt's timer runs on. */
  readonly timed: "each read" | "whole attempt";
}

/** A server may send signs of life for ever: all waits for one answer together are no longer than so many timeouts. */
const mostTimeouts = 10;

/** One request with all its attempts: what stops it, and what it must give back. */
export class Exchange {
  readonly route: Route;
  readonly ports: HttpPorts;
  readonly #caller: CallerSignal | undefined;
  readonly #controller = new AbortController();
  readonly #onAbort = (): void => this.#halt("aborted");
  #onHalt: (() => void) | undefined;
  #stopped: "aborted" | "timeout" | "left" | undefined;
  #ended = false;
  #stopTimer: () => void = () => {};
  #response: Response | undefined;
  #reader: Reader | undefined;
  /** Bytes of the body that have been read. */
  #taken = 0;
  /** Milliseconds that the answer may still be waited for. */
  #patience: number;

  constructor(route: Route, ports: HttpPorts, caller: CallerSignal | undefined) {
    this.route = route;
    this.#patience = mostTimeouts * route.timeoutMs;
    this.ports = ports;
    this.#caller = caller;
  }

  /** For `fetch`. Never the caller's own signal, on which `fetch` would leave listeners. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The answer of success, once its head is there. */
  get response(): Response | undefined {
    return this.#response;
  }

  /** The reader has gone. The rest of the answer is not needed. */
  get left(): boolean {
    return this.#stopped === "left";
  }

  /** True if `check` throws. */
  get stopped(): boolean {
    return this.#stopped !== undefined;
  }

  begin(): void {
    if (this.#caller?.aborted) this.#halt("aborted");
    else this.#caller?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The answer that counts; from now on its connection is given back by `end`, `fail` or `leave`. */
  adopt(response: Response): void {
    this.#response = response;
    this.#reader = response.body?.getReader();
  }

  /** The answer is whole: its connection may serve again. */
  end(): void {
    this.#ended = true;
    this.#unlink();
    if (this.#reader !== undefined) void drain(this.#reader, this.ports.clock);
    this.#reader = undefined;
  }

  /** Closes the connection: the rest of the answer is of no use. */
  fail(): void {
    this.#cancel();
    this.end();
  }

  /** The reader goes: close the connection, whatever is under way. */
  leave(): void {
    if (!this.#ended) this.#halt("left");
  }

  /** @throws ModelError where the request was stopped. */
  check(): void {
    if (this.#stopped === "timeout") {
      const isWhole = this.#patience <= 0;
      throw (isWhole ? endless : timedOut)(this.route, this.#response, mostTimeouts);
    }
    if (this.#stopped !== undefined) throw aborted(this.route, this.#response);
  }

  startTimer(milliseconds = this.route.timeoutMs): void {
    this.stopTimer();
    const isLast = milliseconds < this.route.timeoutMs;
    const stop = (): void => {
      if (isLast) this.#patience = 0;
      this.#halt("timeout");
    };
    const timer = this.ports.clock.setTimeout(stop, milliseconds);
    this.#stopTimer = () => this.ports.clock.clearTimeout(timer as never);
  }

  stopTimer(): void {
    this.#stopTimer();
    this.#stopTimer = () => {};
  }

  /**
   * The value of a promise, unless the exchange is stopped first: a `fetch` that
   * is passed in may not heed its signal.
   *
   * @throws ModelError where it is stopped; whatever the promise rejects with.
   */
  async unlessStopped<T>(promise: Promise<T>): Promise<T> {
    const value = await new Promise<T | undefined>((resolve, reject) => {
      this.#onHalt = () => resolve(undefined);
      promise.then(resolve, reject);
      // It may have been stopped while the promise was made.
      if (this.stopped) resolve(undefined);
    });
    this.#onHalt = undefined;
    this.check();
    return value as T;
  }

  /** Wait; a stop ends the wait. */
  async pause(milliseconds: number): Promise<void> {
    this.check();
    await new Promise<void>((resolve) => {
      const over = (): void => {
        this.ports.clock.clearTimeout(timer as never);
        this.signal.removeEventListener("abort", over);
        resolve();
      };
      const timer = this.ports.clock.setTimeout(over, milliseconds);
      this.signal.addEventListener("abort", over);
    });
    this.check();
  }

  /** Let go of an answer that does not count. */
  discard(response: Response): void {
    if (response.body !== null) void drain(response.body.getReader(), this.ports.clock);
  }

  /**
   * The next piece of the body; nothing once it is over.
   *
   * @throws ModelError "malformed" once it is longer than `limits.bytes`.
   */
  async piece({ bytes, timed }: ReadLimits): Promise<Uint8Array | undefined> {
    // Before all: what was stopped has no reader any more, and is not over.
    this.check();
    const reader = this.#reader;
    if (reader === undefined) return undefined;
    const { done, value } = await (timed === "each read"
      ? this.#patiently(reader)
      : this.#next(reader));
    if (done) {
      this.#reader = undefined;
      return undefined;
    }
    this.#taken += value.byteLength;
    if (this.#taken > bytes) {
      throw malformed(this.route, `is longer than ${bytes} bytes`, this.#response);
    }
    return value;
  }

  /** Only what is waited for counts, and not the time that a reader takes between two pieces. */
  async #patiently(reader: Reader): Promise<Read> {
    const { timeoutMs } = this.route;
    const start = this.ports.clock.now();
    this.startTimer(Math.min(this.#patience, timeoutMs));
    try {
      return await this.#next(reader);
    } finally {
      this.stopTimer();
      const waited = this.ports.clock.now() - start;
      // A clock that is put right counts for no more than one wait.
      this.#patience -= Math.min(Math.max(waited, 0), timeoutMs);
    }
  }

  async #next(reader: Reader): Promise<Read> {
    let next: Read;
    try {
      next = await reader.read();
    } catch (thrown) {
      this.check();
      throw failed(this.route, thrown, this.#response);
    }
    // A cancelled reader says that the body is over.
    this.check();
    return next;
  }

  #halt(reason: "aborted" | "timeout" | "left"): void {
    this.#stopped ??= reason;
    this.#unlink();
    this.#controller.abort();
    this.#onHalt?.();
    // Said twice, because a `fetch` may heed its signal only until the head is there.
    this.#cancel();
  }

  #cancel(): void {
    this.#reader?.cancel().catch(() => {});
    this.#reader = undefined;
  }

  #unlink(): void {
    this.stopTimer();
    this.#caller?.removeEventListener("abort", this.#onAbort);
  }
}
