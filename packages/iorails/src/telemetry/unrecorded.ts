import { randomId } from "./request-id.js";
import type { RequestFacts, RequestSpan } from "./request-span.js";

/** All that the engine asks of telemetry. */
export interface Recorder {
  request<T>(facts: RequestFacts, run: (request: RequestSpan) => Promise<T>): Promise<T>;
  newRequestId(): string;
  startRequest(facts: RequestFacts): RequestSpan;
  queued(by: 1 | -1): void;
  active(kind: "nonstream" | "stream", by: 1 | -1): void;
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
