import { Refusal, tooManyOpen } from "../refusal.js";

/** The server's answer to a question. */
export interface RedisReply {
  readonly generation: string;
  readonly writes: number;
  /** The writes of this process among them. */
  readonly own: number;
  /** "doubt": the server found that it had forgotten what it granted. */
  readonly decision: Refusal | "granted" | "fits" | "doubt";
}

/** Reads the server's answer. Undefined if it is not an answer of the script. */
export function readReply(answer: unknown, limits: number): RedisReply | undefined {
  const [generation = "", writes = "", own = "", kind = "", ...rest] = textsOf(answer);
  const decision = decisionOf(kind, rest, limits);
  const isCounted = /^\d+$/.test(writes) && /^\d+$/.test(own);
  if (decision === undefined || generation === "" || !isCounted) return undefined;
  return { generation, writes: Number(writes), own: Number(own), decision };
}

/** A client may be told to give bytes in place of texts. None, for what has no text. */
function textsOf(answer: unknown): readonly string[] {
  try {
    return Array.isArray(answer) ? answer.map(String) : [];
  } catch {
    return [];
  }
}

function decisionOf(
  kind: string,
  rest: readonly string[],
  limits: number,
): RedisReply["decision"] | undefined {
  if (!rest.every((number) => /^\d+$/.test(number))) return undefined;
  const [first, second] = rest;
  if (kind === "limit" && second !== undefined && Number(first) < limits) {
    return new Refusal("limit", Number(first), Number(second) / 1_000);
  }
  if (kind === "concurrency") return tooManyOpen;
  return kind === "granted" || kind === "fits" || kind === "doubt" ? kind : undefined;
}
