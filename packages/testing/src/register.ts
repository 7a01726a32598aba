import { invalidOption, readOptions, ToolstileError } from "@toolstile/core/provider";
import { type KitLimit, type KitLimits, limitsTable } from "./limits.js";
import type { Decisions, Kit, Question, Sentence } from "./question.js";

/** The `it` of vitest, jest, mocha or node:test. */
export interface TestFunction {
  (name: string, run: () => Promise<void>): unknown;
  /** Registers a test that does not run, with the limit in its name that keeps it from running. */
  readonly skip?: (name: string, run: () => Promise<void>) => unknown;
}

/** The sentences about decisions that the cases call for. */
export function applicable(
  sentences: Decisions,
  questions: readonly Question[],
): readonly Sentence[] {
  return sentences.filter(({ of }) => questions.some(({ expected }) => expected === of));
}

/**
 * Registers a test for each sentence. One that a limit takes away is registered as skipped.
 *
 * @throws ToolstileError where there is nothing to ask: such tests would all pass; and for a
 * limit that is not known, has no reason, or takes nothing away.
 */
export function registerSentences(
  it: TestFunction,
  sentences: readonly Sentence[],
  kit: Kit,
  where: string,
  cannot: KitLimits | undefined,
): void {
  if (kit.questions.length === 0) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "The conformance kit must be given at least one case: best one that should be let through and one that should not.",
    );
  }
  const limits = readOptions(`${where}: 'cannot'`, cannot ?? {}, limitsTable);
  for (const limit of Object.keys(limitsTable) as KitLimit[]) {
    if (limits[limit] === undefined || sentences.some(({ needs }) => needs?.includes(limit)))
      continue;
    throw invalidOption(
      where,
      `'cannot.${limit}' takes no test of these cases away. Leave it out.`,
    );
  }
  for (const { name, check, needs = [] } of sentences) {
    const limit = needs.find((each) => limits[each] !== undefined);
    const run = () => check(kit);
    if (limit === undefined) it(name, run);
    else it.skip?.(`${name} (cannot be ${limit}: ${limits[limit]})`, run);
  }
}
