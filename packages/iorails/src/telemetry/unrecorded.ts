import { randomId } from "./request-id.js";
import type { RequestFacts, RequestSpan } from "./request-span.js";

/** All that the engine asks of telemetry. */
export interface Recorder {
  /**
   * Runs one request inside its span; its rejection is recorded and passed on.
   *
   * The wait for capacity belongs inside: a request turned away counts as a
   * request and as an error, beside `rejected`.
   */
  request<T>(facts: RequestFacts, run: (request: RequestSpan) => Promise<T>): Promise<T>;
  /** Makes an id for a request that is not recorded. */
  newRequestId(): string;
  /** Begins a request that outlives a function, as a stream does; its `end` must be called. */
  startRequest(facts: RequestFacts): RequestSpan;
  /** One request more, or one less, waits for a worker. */
  queued(by: 1 | -1): void;
  /** One request or stream more, or one less, is at work. */
  active(kind: "nonstream" | "stream", by: 1 | -1): void;
  /** There was no capacity for one. */
  rejected(kind: "nonstream" | "stream"): void;
}

const nothing = (): void => {};
const unrecordedRail = Object.freeze({ blocked: nothing });
const unrecordedChat = Object.freeze({ chunk: nothing, completed: nothing });

/** Every request while telemetry is off: one object, which does what it wraps and nothing else. */
export const unrecordedRequest: RequestSpan = Object.freeze({
  requestId: undefined,
  within: (run) => run(),
  rail: (_, run) => run(unrecordedRail),
  chat: (_, run) => run(unrecordedChat),
  chatStream: (_, start) => start(),
  service: (_, run) => run(),
  blocked: nothing,
  failed: nothing,
  output: nothing,
  end: nothing,
} satisfies RequestSpan);

/** Telemetry of a configuration that has it off. */
export const unrecorded: Recorder = Object.freeze({
  newRequestId: randomId,
  request: (_, run) => run(unrecordedRequest),
  startRequest: () => unrecordedRequest,
  queued: nothing,
  active: nothing,
  rejected: nothing,
} satisfies Recorder);
