import assert from "node:assert";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@toolstile/core";
import type { ResultBody } from "@toolstile/core/provider";
import { changed } from "./call.js";
import { asJson } from "./json-shape.js";
import { answer, type Decisions, freshGuard, type Kit, type Question } from "./question.js";

/** The tests that hold a guard to what its cases say. The names are those of the direction that is tested. */
export function decisionSentences(names: {
  readonly allow: string;
  readonly deny: string;
  readonly modify: string;
  /** The name of the sentence that what was made by a modification is left alone. */
  readonly settle: string;
}): Decisions {
  return [
    {
      of: "allow",
      name: names.allow,
      check: (kit) => assertDecides("allow", kit),
    },
    {
      of: "deny",
      name: names.deny,
      check: (kit) => assertDecides("deny", kit),
    },
    {
      of: "modify",
      name: names.modify,
      async check(kit) {
        await assertDecides("modify", kit);
        const guard = await freshGuard(kit);
        for await (const [question, after] of modifications(kit, guard)) {
          const changes = !isDeepStrictEqual(subject(question), subject(after));
          assert.ok(changes, `${question.where}: modified to what it was.`);
        }
      },
    },
    {
      of: "modify",
      name: names.settle,
      needs: ["idempotent"],
      async check(kit) {
        const guard = await freshGuard(kit);
        for await (const [question, after] of modifications(kit, guard)) {
          const again = await answer(kit, guard, after);
          assert.notEqual(again.decision, "deny", `${question.where}: denies what it made itself.`);
          if (again.decision === "allow") continue;
          const twice = withChange(question, again.modifiedArgs, again.modifiedResult);
          const settled = isDeepStrictEqual(subject(twice), subject(after));
          assert.ok(settled, `${question.where}: modifies again what it made itself.`);
        }
      },
    },
  ];
}

async function assertDecides(expected: Question["expected"], kit: Kit): Promise<void> {
  for (const question of kit.questions) {
    if (question.expected !== expected) continue;
    const verdict = await answer(kit, await freshGuard(kit), question);
    assert.equal(verdict.decision, expected, question.where);
  }
}

/** The questions that the guard answers with a modification, each with the question that it makes of it. */
async function* modifications(
  kit: Kit,
  guard: Awaited<ReturnType<typeof freshGuard>>,
): AsyncGenerator<[Question, Question]> {
  for (const question of kit.questions) {
    if (question.expected !== "modify") continue;
    const verdict = await answer(kit, guard, question);
    if (verdict.decision !== "modify") continue;
    yield [question, withChange(question, verdict.modifiedArgs, verdict.modifiedResult)];
  }
}

function withChange(
  question: Question,
  args: JsonObject | undefined,
  body: ResultBody | undefined,
): Question {
  const { call, result } = question;
  if (result === undefined || body === undefined) {
    return { ...question, call: changed(call, { args: asJson(args) as object }) };
  }
  const { callId, name, isError } = result;
  return { ...question, result: { callId, name, isError, ...body } };
}

/** The subject of a modification: the arguments, or the body of the result. */
function subject({ call, result }: Question): unknown {
  if (result === undefined) return asJson(call.args);
  return asJson({ content: result.content, structured: result.structured });
}
