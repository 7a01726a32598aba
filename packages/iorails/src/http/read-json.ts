import type { Exchange, ReadLimits } from "./exchange.js";
import { enriched, malformed } from "./failures.js";
import { ask, type Question } from "./retry.js";

/** The longest whole answer, in bytes after decompression. */
const longestAnswer = 16 * 1_024 * 1_024;

/**
 * Read a whole body as JSON.
 *
 * @throws ModelError "malformed" for a body that is not JSON, not UTF-8, or longer than 16 MiB.
 */
export async function readJson(
  exchange: Exchange,
  timed: ReadLimits["timed"] = "whole attempt",
): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  const limits = { bytes: longestAnswer, timed };
  for (let piece = await exchange.piece(limits); piece !== undefined; ) {
    pieces.push(piece);
    piece = await exchange.piece(limits);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces)));
  } catch {
    // The parser's own error quotes the text.
    throw malformed(exchange.route, "is not JSON", exchange.response);
  }
}

/**
 * Ask for one whole answer, and read it.
 *
 * @throws ModelError, also where the signal aborts; it has the status of an answer that was there.
 */
export async function askForJson<Answer>(
  exchange: Exchange,
  question: Question,
  read: (json: unknown) => Answer,
): Promise<Answer> {
  try {
    exchange.begin();
    await ask(exchange, question);
    const answer = read(await readJson(exchange));
    exchange.end();
    return answer;
  } catch (thrown) {
    exchange.fail();
    throw enriched(thrown, exchange.response);
  }
}
