import type { IncomingMessage } from "node:http";
import type { BodyRoom, HeldBytes } from "./body-room.js";
import { EventStream, type StreamEvent } from "./event-stream.js";
import { readBody } from "./read-body.js";

/** The bounds of what is read. */
export interface ReadBounds {
  readonly maxMessageBytes: number;
  readonly room: BodyRoom;
}

/** Takes the parts of an answer of the upstream's, in order. */
export interface AnswerSink {
  /** Takes a message, and the event that brought it, if there is one. */
  message(bytes: Buffer, event: StreamEvent | undefined): void;
  /** Takes an event without a message. */
  event(event: StreamEvent): void;
  /** Resolves once more can be taken. */
  ready(): Promise<void>;
}

/** Read an answer to its end, as events or as one message. @throws if it breaks off or is too long, and NoRoomError. */
export async function readAnswer(
  response: IncomingMessage,
  { maxMessageBytes: maxBytes, room }: ReadBounds,
  sink: AnswerSink,
): Promise<void> {
  const held = room.ofServer();
  try {
    if (isEvents(response)) await readEvents(response, maxBytes, held, sink);
    else {
      const body = await readBody(response, maxBytes, held);
      if (body === undefined) throw new RangeError(`The answer is longer than ${maxBytes} bytes.`);
      if (body.length > 0) sink.message(body, undefined);
    }
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    held(0);
  }
}

async function readEvents(
  response: IncomingMessage,
  maxBytes: number,
  held: HeldBytes,
  sink: AnswerSink,
): Promise<void> {
  const events = new EventStream(maxBytes, (event) => {
    if (event.data === undefined || event.data === "") sink.event(event);
    else sink.message(Buffer.from(event.data), event);
  });
  for await (const chunk of response as AsyncIterable<Buffer>) {
    events.write(chunk);
    held(events.held);
    await sink.ready();
  }
}

export function isEvents({ headers }: IncomingMessage): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(headers["content-type"] ?? "");
}

/** True for a body that can be a message. A page that explains an error is none. */
export function isJson({ headers }: IncomingMessage): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(;|$)/i.test(headers["content-type"] ?? "");
}
