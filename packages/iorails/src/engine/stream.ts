import type { Completion } from "../chat/message.js";
import { ModelError } from "../errors.js";
import type { ModelRail } from "../model-rails/rail.js";
import type { Violation } from "../violation.js";
import type { RailFamilyParam, StreamChunk } from "./answer.js";
import { handOut } from "./hand-out.js";
import { type Inner, type Lane, laneOpened } from "./leavable.js";
import { type Batch, outputWindow } from "./output-window.js";
import type { Parts } from "./parts.js";
import type { ReadRequest } from "./request.js";
import type { Turn } from "./turn.js";

/**
 * The order of work for a streamed answer.
 *
 * Read only as fast as it is consumed. After a violation nothing follows, and
 * calls come last, when all of them have been let pass.
 */
export async function* streamed(turn: Turn, parts: Parts, request: ReadRequest, lane: Lane): Inner {
  const results = await turn.judgeResults();
  if (results.length > 0) {
    const isOfResults = results[0]?.kind === "tool_result";
    return yield violation(isOfResults ? "tool_input_rails" : "input_rails", results);
  }
  const input = await turn.judgeInput();
  if (input.length > 0) return yield violation("input_rails", input);

  const output = new OutputText(turn, parts);
  let completion: Completion | undefined;
  const events = turn.askStream();
  if (output.passes && events.texts !== undefined) {
    // What texts would wait for here is done while the model is waited for.
    events.texts.begin();
    lane.texts = events.texts;
    let isWaitedFor = false;
    try {
      yield laneOpened;
      isWaitedFor = true;
    } finally {
      // Whoever goes now gives up what has been asked for.
      if (!isWaitedFor) await events.return();
    }
  }
  for await (const event of events) {
    if (event.type === "end") completion = event.completion;
    if (event.type !== "text") continue;
    if (output.passes) yield event;
    else yield* output.take(event.text);
    if (output.stopped) return;
  }
  if (completion === undefined) return;
  yield* output.end(completion);
  if (output.stopped) return;

  const decided = await turn.decideCalls(completion);
  try {
    if (decided.violations.length > 0) {
      return yield violation("tool_output_rails", decided.violations);
    }
    if (decided.calls.length === 0) return;
    const toolCalls = handOut(decided.calls, parts.receipts, request.context);
    const unrecorded = await decided.release();
    if (unrecorded.length > 0) return yield violation("tool_output_rails", unrecorded);
    yield { type: "tool_calls", toolCalls };
  } finally {
    await decided.drop();
  }
}

/**
 * The text of an answer on its way through the output rails.
 *
 * A text that rails rewrite leaves as they have written it, once no text that is
 * still to come can change it. Where a rail reads the whole answer, and nothing may
 * leave before it is judged, all rails judge the whole.
 */
class OutputText {
  /** True when a rail has blocked: nothing more may leave. */
  stopped = false;
  readonly #turn: Turn;
  readonly #streamFirst: boolean;
  readonly #window: ReturnType<typeof outputWindow> | undefined;
  readonly #ofStretches: readonly ModelRail[];
  readonly #ofWhole: readonly ModelRail[];
  /** True if any of them rewrites as the text comes. */
  readonly #rewrites: boolean;
  #isLast = false;

  constructor(turn: Turn, { data }: Parts) {
    const { chunkSize, contextSize, streamFirst } = data.output.streaming;
    const rails = turn.outputRails;
    const hasWhole = rails.some(({ readsWhole }) => readsWhole === true);
    const isOfWhole = ({ readsWhole }: ModelRail): boolean =>
      hasWhole && (!streamFirst || readsWhole === true);
    this.#turn = turn;
    this.#streamFirst = streamFirst;
    this.#ofWhole = rails.filter(isOfWhole);
    const ofStretches = rails.filter((rail) => !isOfWhole(rail));
    this.#rewrites = ofStretches.some(({ rewriteStream }) => rewriteStream !== undefined);
    this.#ofStretches = rewriting(ofStretches, () => this.#isLast);
    this.#window = ofStretches.length === 0 ? undefined : outputWindow({ chunkSize, contextSize });
  }

  /** True if no rail judges it. */
  get passes(): boolean {
    return this.#window === undefined && this.#ofWhole.length === 0;
  }

  async *take(text: string): AsyncGenerator<StreamChunk, void, void> {
    if (this.#window === undefined) return yield* this.#leave([text]);
    const batch = this.#window.push(text);
    if (batch !== undefined) yield* this.#judge(batch);
  }

  async *end({ content, calls, reasoning }: Completion): AsyncGenerator<StreamChunk, void, void> {
    const batch = this.#window?.end();
    this.#isLast = true;
    if (this.#rewrites) {
      yield* this.#judge(batch ?? { context: "", fresh: [] });
    } else if (batch !== undefined) {
      yield* this.#judge(batch);
    }
    if (this.stopped || this.#ofWhole.length === 0) return;
    if (content === "" && calls.length > 0) return;
    const { violations, text } = await this.#turn.judgeOutput(content, this.#ofWhole, reasoning);
    if (violations.length > 0) return yield this.#stop(violations);
    if (!this.#streamFirst) {
      // The judged text, not the received one: it has no thinking.
      yield { type: "text", text: text ?? content };
    } else if (text === undefined) {
      return;
    } else if (text.startsWith(content)) {
      yield { type: "text", text: text.slice(content.length) };
    } else {
      yield this.#stop([rewrittenTooLate]);
    }
  }

  async *#judge({ context, fresh }: Batch): AsyncGenerator<StreamChunk, void, void> {
    if (this.#streamFirst) yield* this.#leave(fresh);
    const { violations, text } = await this.#turn.judgeOutput(context, this.#ofStretches);
    if (violations.length > 0) return yield this.#stop(violations);
    if (this.#rewrites) {
      const settled = text ?? context;
      if (settled !== "") yield { type: "text", text: settled };
      return;
    }
    // Which of the deltas a rewritten stretch stands for cannot be told.
    if (text !== undefined && text !== context) return yield this.#stop([rewrittenTooLate]);
    if (!this.#streamFirst) yield* this.#leave(fresh);
  }

  async *#leave(texts: readonly string[]): AsyncGenerator<StreamChunk, void, void> {
    // It waits for the judgement of the whole, and is written out with it.
    if (this.#ofWhole.length > 0 && !this.#streamFirst) return;
    for (const text of texts) yield { type: "text", text };
  }

  #stop(violations: readonly Violation[]): StreamChunk {
    this.stopped = true;
    return violation("output_rails", violations);
  }
}

/** Rails of which some rewrite an answer as it comes: in each batch, they give what is settled by then. */
function rewriting(rails: readonly ModelRail[], isLast: () => boolean): readonly ModelRail[] {
  return rails.map((rail) => {
    const stream = rail.rewriteStream?.();
    if (stream === undefined) return rail;
    const judge: ModelRail["judge"] = async ({ botResponse = "" }) => {
      const text = await stream.take(botResponse, isLast());
      if (text === botResponse) return { status: "passed" };
      return { status: "modified", text, reason: rail.name };
    };
    return { ...rail, judge };
  });
}

const rewrittenTooLate: Violation = Object.freeze({
  kind: "output",
  violationType: "rail_failed",
  reason: "an output rail changed text that had been sent already",
});

/** The last piece of a stream that is blocked, as NeMo Guardrails' payloads have it. */
function violation(param: RailFamilyParam, violations: readonly Violation[]): StreamChunk {
  const message = `Blocked by ${param.replaceAll("_", " ")}: ${violations[0]?.reason}`;
  const error = { message, type: "guardrails_violation", param, code: "content_blocked" } as const;
  return { type: "violation", error, violations };
}

/** The last piece of a stream that failed. It says nothing of an error that is not the model's. */
export function failure(thrown: unknown, requestId: string): StreamChunk {
  const message = ModelError.isInstance(thrown) ? thrown.message : "The answer failed.";
  const error = { message, type: "generation_error", code: "generation_failed" } as const;
  return { type: "error", error, requestId };
}
