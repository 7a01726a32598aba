import type { JsonObject } from "@toolstile/core";
import { type CallerSignal, parseArguments } from "@toolstile/core/provider";
import { LinkedAbort } from "../aborted.js";
import type { Completion } from "../chat/message.js";
import type { Violation } from "../violation.js";
import { type GenerationResult, refusalOf } from "./answer.js";
import type { ToolCallMessage } from "./assistant-message.js";
import type { GenerationLog } from "./generation-log.js";
import { exceptionFor, type GenerationResponse, toolViolations } from "./generation-response.js";
import { handOut } from "./hand-out.js";
import type { Parts } from "./parts.js";
import type { ReadRequest } from "./request.js";
import type { Turn } from "./turn.js";

/** A whole answer, in this engine's words and, if the request has options, in NeMo's. */
export async function generate(
  turn: Turn,
  parts: Parts,
  request: ReadRequest,
): Promise<GenerationResult> {
  const result = await resultOf(turn, parts, request);
  const { violations } = result;
  const exception = parts.data.railsExceptions ? exceptionFor(violations) : undefined;
  const raised = exception === undefined ? result : { ...result, exception };
  if (request.options === undefined) return raised;
  turn.log?.blockedBy(violations);
  return { ...raised, ...responseOf(raised, turn.log?.written()) };
}

/** The order of work for one whole answer: results, input, the model, its calls, its text. */
async function resultOf(turn: Turn, parts: Parts, request: ReadRequest): Promise<GenerationResult> {
  const results = await turn.judgeResults();
  if (results.length > 0) return blocked(turn, results);
  // Asked while rails judge, the model would read what they are to take out.
  const speculates = parts.data.input.speculativeGeneration && !turn.mayRewriteInput;
  const asked = speculates ? await speculate(turn, request.signal) : await inOrder(turn);
  if ("violations" in asked) return blocked(turn, asked.violations);
  return answer(turn, parts, request, asked);
}

type Asked = Completion | { readonly violations: readonly Violation[] };

async function inOrder(turn: Turn): Promise<Asked> {
  const violations = await turn.judgeInput();
  return violations.length > 0 ? { violations } : turn.ask();
}

/**
 * Ask the model while the input rails judge. Nothing of its answer counts
 * before they have let the request pass, or if they have changed it.
 */
async function speculate(turn: Turn, signal: CallerSignal | undefined): Promise<Asked> {
  const stop = new LinkedAbort(signal);
  const judged = turn.messages;
  const asking = turn.ask(stop);
  // The answer is discarded, whatever it is.
  asking.catch(() => {});
  try {
    const violations = await turn.judgeInput();
    if (violations.length > 0) return { violations };
    if (turn.messages !== judged) return await turn.ask();
    return await asking;
  } finally {
    stop.abort();
    stop.release();
  }
}

async function answer(
  turn: Turn,
  { receipts }: Parts,
  { context }: ReadRequest,
  completion: Completion,
): Promise<GenerationResult> {
  const decided = await turn.decideCalls(completion);
  try {
    if (decided.violations.length > 0) return blocked(turn, decided.violations, completion);
    let text = completion.content;
    // An empty text beside calls says nothing that could be judged.
    if (text !== "" || decided.calls.length === 0) {
      const found = await turn.judgeOutput(text, turn.outputRails, completion.reasoning);
      if (found.violations.length > 0) return blocked(turn, found.violations, completion);
      if (found.text !== undefined) {
        text = found.text;
        turn.modifiedBy = found.flow;
      }
    }
    const calls = handOut(decided.calls, receipts, context);
    turn.modifiedBy = decided.modifiedBy ?? turn.modifiedBy;
    const unrecorded = await decided.release();
    if (unrecorded.length > 0) return blocked(turn, unrecorded, completion);
    const { reasoning, usage, finishReason } = completion;
    return {
      message:
        calls.length === 0
          ? { role: "assistant", content: text }
          : { role: "assistant", content: text === "" ? null : text, tool_calls: calls },
      status: turn.modifiedBy !== undefined ? "modified" : "passed",
      violations: [],
      requestId: turn.requestId,
      reasoning,
      usage,
      finishReason,
    };
  } finally {
    await decided.drop();
  }
}

function blocked(
  turn: Turn,
  violations: readonly Violation[],
  completion?: Completion,
): GenerationResult {
  return {
    message: { role: "assistant", content: refusalOf(violations) },
    status: "blocked",
    violations,
    requestId: turn.requestId,
    usage: completion?.usage,
  };
}

/** The members of a response, from what this engine gives. */
function responseOf(
  { message, violations, exception, reasoning }: GenerationResult,
  log: GenerationLog | undefined,
): GenerationResponse {
  const { content, tool_calls } = message;
  return {
    response: [
      exception === undefined
        ? { role: "assistant", content: content ?? "" }
        : { role: "exception", content: exception },
    ],
    reasoning_content: reasoning,
    tool_calls: tool_calls?.map(withArguments),
    tool_violations: toolViolations(violations),
    log,
  };
}

/** A call is handed out only if its arguments are exactly one JSON object. */
function withArguments({ id, type, custom, function: called }: ToolCallMessage): JsonObject {
  if (called === undefined) return custom === undefined ? { id, type } : { id, type, custom };
  const parsed = parseArguments(called.arguments);
  const args = parsed.ok ? parsed.args : {};
  return { id, type, function: { name: called.name, arguments: args } };
}
