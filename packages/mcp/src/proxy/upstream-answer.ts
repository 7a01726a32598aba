import type { IncomingMessage } from "node:http";
import { EventStream, type StreamEvent } from "./event-stream.js";
import { readBody } from "./upstream.js";

/** Takes what an answer of the upstream's holds, in order. */
export interface AnswerSink {
  /** A message, with the event that brought it, if it came by one. */
  message(bytes: Buffer, event: StreamEvent | undefined): void;
  /** An event that tells readers nothing. */
  event(event: StreamEvent): void;
  /** Once more can be taken. */
  ready(): Promise<void>;
}

/** Read an answer to its end, as events or as one message. @throws where it breaks off, or is too long. */
export async function readAnswer(
  response: IncomingMessage,
  maxBytes: number,
  sink: AnswerSink,
): Promise<void> {
  if (!isEvents(response)) {
    const body = await readBody(response, maxBytes);
    if (body === undefined) {
      response.destroy();
      throw new RangeError(`The answer is longer than ${maxBytes} bytes.`);
    }
    if (body.length > 0) sink.message(body, undefined);
    return;
  }
  const events = new EventStream(maxBytes, (event) => {
    if (event.data === undefined || event.data === "") sink.event(event);
    else sink.message(Buffer.from(event.data), event);
  });
  for await (const chunk of response as AsyncIterable<Buffer>) {
    events.write(chunk);
    await sink.ready();
  }
}

export function isEvents({ headers }: IncomingMessage): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(headers["content-type"] ?? "");
}

export function isSuccess({ statusCode = 500 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** The status for a client. A redirect is not followed, and the upstream's wish for another credential is not the client's affair. */
export function statusFor(response: IncomingMessage): number {
  const { statusCode = 500 } = response;
  if (isSuccess(response)) return statusCode;
  return statusCode < 400 || [401, 403, 407].includes(statusCode) ? 502 : statusCode;
}
