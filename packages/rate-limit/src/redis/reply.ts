import { Refusal, tooManyOpen } from "../refusal.js";

/** What the server said to a question. */
export interface RedisReply {
  readonly generation: string;
  readonly writes: number;
  /** "doubt": the server found that it had forgotten what it granted. */
  readonly decision: Refusal | "granted" | "fits" | "doubt";
}

/** The server's answer as it is meant, or nothing for what is no answer of the script's. */
export function readReply(answer: unknown, limits: number): RedisReply | undefined {
  const [generation, writes, kind, ...rest] = textsOf(answer);
  if (generation === undefined || writes === undefined || kind === undefined) return undefined;
  const decision = decisionOf(kind, rest, limits);
  if (decision === undefined || generation === "" || !/^\d+$/.test(writes)) return undefined;
  return { generation, writes: Number(writes), decision };
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
