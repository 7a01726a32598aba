import type { CallerSignal } from "@toolstile/core/provider";
import { CannotJudge } from "./cannot-judge.js";
import { guardAnswer } from "./guard-answer.js";
import type { OutputParser } from "./parsers.js";
import type { RailPorts } from "./rail.js";
import { digestOf, type Judgement } from "./verdict-cache.js";
import { plainCategories } from "./verdicts.js";

/** A question to a model that judges. */
export interface Question {
  /** The rail that asks: what another rail reads in the same answer is not its verdict. */
  readonly rail: string;
  readonly model: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly parse: OutputParser;
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
  if (known !== undefined) return { ...known, metadata: { ...known.metadata, cached: true } };
  const answer = await guardAnswer(ports, model, body, signal);
  const { verdict, categories } = parse(answer);
  const answer_digest = digestOf(answer);
  if (verdict !== "allow" && verdict !== "block") {
    throw new CannotJudge("the model's answer must be a verdict", { answer_digest });
  }
  const violations = categories && { policy_violations: plainCategories(categories) };
  const found = { verdict, categories, metadata: { answer_digest, ...violations } };
  cache?.set(key, found);
  return found;
}
