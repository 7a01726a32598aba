import type { ApprovalQuestion } from "@toolstile/core";
import { digest } from "@toolstile/core/digest";
import { canonicalJson, deepFreeze } from "@toolstile/core/provider";

/** Names the form of what is hashed, so that no digest of another kind is taken for one of these. */
const boundTag = "toolstile/approval bound 1";
const alikeTag = "toolstile/approval alike 1";

/** SHA-256 of the question, to the last member: that is what a grant is bound to. */
export function bindingOf(question: ApprovalQuestion): string {
  return digest([boundTag, question]);
}

/** SHA-256 of all but which run it is: equal for questions that one answer may settle. */
export function likenessOf(question: ApprovalQuestion): string {
  const { runId: _, turnId: _turn, callId: _call, receipt: _receipt, ...rest } = question;
  const { traceparent: _trace, ...context } = question.context;
  return digest([alikeTag, { ...rest, context }]);
}

/** SHA-256 of the arguments' canonical JSON. */
export function argumentsDigest(question: ApprovalQuestion): string {
  return digest(question.args);
}

/**
 * The question as plain JSON, frozen to the leaves.
 *
 * @throws ToolstileError `ERR_NOT_JSON` where the host's attributes hold what JSON cannot.
 */
export function snapshotQuestion(question: ApprovalQuestion): {
  readonly question: ApprovalQuestion;
  /** The length of its canonical text. */
  readonly characters: number;
} {
  const text = canonicalJson(question);
  const copy: ApprovalQuestion = deepFreeze(JSON.parse(text));
  return { question: copy, characters: text.length };
}
