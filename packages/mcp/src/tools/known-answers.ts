import { isId, type JsonRpcId, type JsonRpcMessage } from "../message/json-rpc.js";
import { type Reading, readMessage } from "../message/read-message.js";
import { ListedPage } from "./listed-page.js";
import { digestOf, Shared } from "./shared.js";

/** The place of the id in the text of an answer, and the id. */
interface IdPlace {
  readonly start: number;
  readonly end: number;
  readonly id: JsonRpcId;
}

/** An answer to `tools/list` that was read. It lives as long as the page that it brought. */
interface KnownAnswer {
  readonly bytes: Buffer;
  readonly place: IdPlace;
  readonly message: JsonRpcMessage;
}

const known = new Shared<KnownAnswer>();
const ofPage = new WeakMap<ListedPage, KnownAnswer>();
/** A page is not found by shorter answers much sooner than it is read. */
const shortest = 2_048;

/**
 * Read an answer to `tools/list`, as `readMessage` does.
 *
 * Sessions are given the same long list again and again, and what differs is the
 * id. An answer that equals one that was read, byte for byte but for its id, is
 * the same message with this id, and is not read again. Its tools are the page's
 * own, which are frozen.
 */
export function readListAnswer(bytes: Buffer, maxBytes: number, digestBy = digestOf): Reading {
  const place = bytes.length < shortest ? undefined : idPlace(bytes);
  if (place === undefined) return readMessage(bytes, maxBytes);
  const [before, after] = [bytes.subarray(0, place.start), bytes.subarray(place.end)];
  const digest = digestBy(before, "\0", after);
  const same = known.find(digest);
  if (same !== undefined && isAround(same, before, after)) {
    return { ok: true, message: { ...same.message, id: place.id } };
  }
  const reading = readMessage(bytes, maxBytes);
  return reading.ok
    ? { ok: true, message: remembered(reading.message, bytes, place, digest) }
    : reading;
}

function isAround({ bytes, place }: KnownAnswer, before: Buffer, after: Buffer): boolean {
  return bytes.subarray(0, place.start).equals(before) && bytes.subarray(place.end).equals(after);
}

function remembered(
  message: JsonRpcMessage,
  bytes: Buffer,
  place: IdPlace,
  digest: string,
): JsonRpcMessage {
  const { result } = message;
  if (message.id !== place.id || result === undefined) return message;
  let page: ListedPage;
  try {
    page = ListedPage.of((result as { tools?: unknown }).tools);
  } catch {
    // It is no list, or too long, which is said where it is taken on.
    return message;
  }
  const shared = { ...message, result: Object.freeze({ ...result, tools: page.entries }) };
  // Found by its own copy: the bytes that came may be a part of something larger.
  const answer = { bytes: Buffer.from(bytes), place, message: shared };
  ofPage.set(page, answer);
  known.add(digest, answer);
  return shared;
}

const id = String.raw`(-?\d{1,16}|"[\w.:~/+=-]{1,100}")`;
const atStart = new RegExp(String.raw`^\{(?:"jsonrpc":"2\.0",)?"id":${id},`, "d");
const atEnd = new RegExp(String.raw`,"id":${id}\}$`, "d");
const longestEdge = 160;

/**
 * The place of the id, where a message begins with it or ends with it, as SDKs write theirs.
 *
 * There it can only be the message's own: what follows the last quote of a text,
 * or stands before the first, is in no string and in no object inside.
 */
function idPlace(bytes: Buffer): IdPlace | undefined {
  const start = atStart.exec(bytes.toString("latin1", 0, longestEdge));
  const from = Math.max(0, bytes.length - longestEdge);
  const end = start === null ? atEnd.exec(bytes.toString("latin1", from)) : null;
  const span = (start ?? end)?.indices?.[1];
  if (span === undefined) return undefined;
  const offset = start === null ? from : 0;
  const place = { start: offset + span[0], end: offset + span[1] };
  try {
    const value: unknown = JSON.parse(bytes.toString("latin1", place.start, place.end));
    return isId(value) ? { ...place, id: value } : undefined;
  } catch {
    // A number with zeros in front.
    return undefined;
  }
}
