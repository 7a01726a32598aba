import type { SseEvent, SseReader } from "../../src/chat/sse.js";

/** The events that these bytes complete. */
export function pushed(reader: SseReader, bytes: Uint8Array): readonly SseEvent[] {
  reader.push(bytes);
  const events: SseEvent[] = [];
  for (let event = reader.next(); event !== undefined; event = reader.next()) events.push(event);
  return events;
}
