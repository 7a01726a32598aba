import type { RequestSpan } from "./request-span.js";

const nothing = (): void => {};
const unrecordedRail = Object.freeze({ blocked: nothing });
const unrecordedChat = Object.freeze({ chunk: nothing, completed: nothing });

/** Every request while telemetry is off: one object, which does what it wraps and nothing else. */
export const unrecorded: RequestSpan = Object.freeze({
  requestId: undefined,
  within: (run) => run(),
  rail: (_, run) => run(unrecordedRail),
  chat: (_, run) => run(unrecordedChat),
  chatStream: (_, start) => start(),
  service: (_, run) => run(),
  speculation: nothing,
  blocked: nothing,
  failed: nothing,
  output: nothing,
  end: nothing,
} satisfies RequestSpan);
