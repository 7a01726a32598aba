import type { CallerSignal } from "@toolstile/core/provider";
import { CannotJudge } from "./cannot-judge.js";
import { guardAnswer } from "./guard-answer.js";
import type { OutputParser } from "./parsers.js";
import type { RailMetadata, RailPorts } from "./rail.js";
import { digestOf, type KeptVerdict } from "./verdict-cache.js";
import { plainCategories } from "./verdicts.js";

/** A question to a model that judges. */
export interface Question {
  /** The rail that asks: what another rail reads in the same answer is not its verdict. */
  readonly rail: string;
  readonly model: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly parse: OutputParser;
}

export interface Judgement {
  readonly verdict: "allow" | "block";
  readonly categories: readonly string[] | undefined;
  /** `answer_digest` is the digest of the model's answer; `cached` says that it was given earlier. */
  readonly metadata: RailMetadata;
}

/**
 * The verdict of a model on a question, asked now or, where the model has a cache, earlier.
 *
 * @throws CannotJudge for an answer that is no verdict; it is not kept.
 */
export async function judgement(
  ports: RailPorts,
  { rail, model, body, parse }: Question,
  signal: CallerSignal | undefined,
): Promise<Judgement> {
  const cache = ports.verdicts?.(model);
  const key = cache === undefined ? "" : digestOf(JSON.stringify([rail, body]));
  const known = cache?.get(key);
  if (known !== undefined) return of(known, { cached: true });
  const answer = await guardAnswer(ports, model, body, signal);
  const { verdict, categories } = parse(answer);
  const answerDigest = digestOf(answer);
  if (verdict !== "allow" && verdict !== "block") {
    throw new CannotJudge("the model's answer must be a verdict", { answer_digest: answerDigest });
  }
  const kept: KeptVerdict = { verdict, categories, answerDigest };
  cache?.set(key, kept);
  return of(kept, {});
}

function of({ verdict, categories, answerDigest }: KeptVerdict, more: RailMetadata): Judgement {
  const violations =
    categories === undefined ? {} : { policy_violations: plainCategories(categories) };
  return { verdict, categories, metadata: { answer_digest: answerDigest, ...violations, ...more } };
}
