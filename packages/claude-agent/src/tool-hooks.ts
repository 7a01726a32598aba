import { type RunOptions, type ToolRunner, textOf, toolResult } from "@toolstile/core";
import { describeCall, type OpenedCall } from "@toolstile/core/host";
import { CallerAbort, sameJson } from "@toolstile/core/provider";
import { denied, goOn, stopped, withArguments, withResponse } from "./answers.js";
import type { Deadlines } from "./deadline.js";
import { type Replacement, rewrittenInPlace, textInPlace } from "./replacement.js";
import type { BatchHookInput, HookInput, HookOutput, ToolHookInput } from "./sdk.js";
import type { WaitingCalls } from "./waiting-calls.js";

export interface ToolHooksOptions {
  readonly runner: ToolRunner;
  readonly waiting: WaitingCalls;
  readonly deadlines: Deadlines;
  readonly deadlineMs: number;
  readonly maxOpenCalls: number;
  readonly describe: ((input: ToolHookInput) => RunOptions) | undefined;
}

const late = "the guards did not answer in time";

/** The hooks of a session. None of them throws, or takes longer than its time. */
export class ToolHooks {
  readonly #options: ToolHooksOptions;

  constructor(options: ToolHooksOptions) {
    this.#options = options;
  }

  /** PreToolUse. */
  before(input: ToolHookInput, caller: AbortSignal): Promise<HookOutput> {
    const abort = new CallerAbort();
    return this.#within(
      caller,
      () => this.#decide(input, abort),
      () => denied(`Tool call denied: ${late}`),
      (reason) => abort.abort(reason),
    );
  }

  async #decide(input: ToolHookInput, abort: CallerAbort): Promise<HookOutput> {
    const { runner, waiting, maxOpenCalls, describe } = this.#options;
    const { tool_name: name, tool_input, tool_use_id: callId, session_id, agent_id } = input;
    if (waiting.size >= maxOpenCalls)
      return denied("Tool call denied: too many tool calls are open");
    const known = { agentName: input.agent_type, context: { sessionId: session_id } };
    const opened = await runner.open(
      { name, arguments: tool_input, callId },
      {
        ...describeCall(describe && (() => describe(input)), known),
        signal: abort,
        tools: [{ name }],
      },
    );
    if (opened.outcome !== undefined) return denied(textOf(opened.outcome.result));
    // One of another context, or one of which the model is yet to read.
    if (waiting.has(input, callId)) {
      await opened.close({ unused: true });
      return denied("Tool call denied: another call has its id");
    }
    waiting.add(input, { session: session_id, agent: agent_id, abort, opened });
    return opened.modifiedBy.length === 0 ? goOn : withArguments(opened.call.args);
  }

  /** PostToolUse. */
  async after(input: ToolHookInput, caller: AbortSignal): Promise<HookOutput> {
    const withheld = (text: string) => textInPlace(input, `Tool result withheld: ${text}`);
    const replacement = await this.#judged<Replacement>(input, caller, withheld, async (opened) => {
      if (!isDecided(input, opened)) {
        const text = "the tool ran with other arguments than were decided";
        await opened.close({ error: new Error(text) });
        return withheld(text);
      }
      const outcome = await opened.close({ value: answered(input.tool_response) });
      const text = textOf(outcome.result);
      if (outcome.status !== "executed") return textInPlace(input, text);
      if (isSame(input.tool_response, outcome.value)) return undefined;
      return rewrittenInPlace(input, outcome.value) ?? textInPlace(input, text);
    });
    if (replacement === undefined) return this.#passed(input);
    this.#note(input, { expectation: replacement.expectation });
    return withResponse(replacement.response);
  }

  /** PostToolUseFailure: the SDK lets nothing be put in the place of an error. What may not be read stops the run, before the model reads it. */
  async failed(input: ToolHookInput, caller: AbortSignal): Promise<HookOutput> {
    const withheld = (text: string) => `Tool result withheld: ${text}`;
    const stop = await this.#judged<string>(input, caller, withheld, async (opened) => {
      const error = new Error(input.error);
      const outcome = await opened.close({ error });
      const isAsItWas = outcome.status === "failed" && outcome.error === error;
      return isAsItWas ? undefined : textOf(outcome.result);
    });
    if (stop === undefined) return this.#passed(input);
    this.#note(input, { stop });
    return goOn;
  }

  /** The judges' verdict on the result of a call that was let through; undefined where the result stays as it is. */
  #judged<Verdict>(
    input: ToolHookInput,
    caller: AbortSignal,
    withheld: (text: string) => Verdict,
    judge: (opened: OpenedCall) => Promise<Verdict | undefined>,
  ): Promise<Verdict | undefined> {
    const { deadlines, deadlineMs, waiting } = this.#options;
    const call = waiting.get(input, input.tool_use_id);
    const opened = call?.opened;
    if (call === undefined || opened === undefined) {
      return Promise.resolve(withheld("it answers no call that was decided"));
    }
    call.opened = undefined;
    return deadlines.within<Verdict | undefined>(
      deadlineMs,
      caller,
      () => judge(opened),
      () => withheld(late),
      (reason) => call.abort.abort(reason),
    );
  }

  /** Nothing is to be looked for before the model reads it. */
  async #passed(input: ToolHookInput): Promise<HookOutput> {
    await this.#options.waiting.end(input, input.tool_use_id);
    return goOn;
  }

  #note(
    input: ToolHookInput,
    what: { expectation: Replacement["expectation"] } | { stop: string },
  ) {
    const { waiting } = this.#options;
    const { session_id: session, agent_id: agent, tool_use_id: id } = input;
    const known = waiting.get(input, id);
    if (known !== undefined) Object.assign(known, what);
    else
      waiting.add(input, {
        session,
        agent,
        abort: new CallerAbort(),
        opened: undefined,
        ...what,
      });
  }

  /** PostToolBatch: the last moment before the model reads the results. */
  batch(input: BatchHookInput, caller: AbortSignal): Promise<HookOutput> {
    const { waiting } = this.#options;
    const withheld = "Tool result withheld: it could not be kept from the model";
    return this.#within(
      caller,
      async () => {
        const ends: Promise<void>[] = [];
        let stop: string | undefined;
        for (const { tool_use_id: id, tool_response } of input.tool_calls) {
          const call = waiting.get(input, id);
          if (call?.expectation?.(tool_response) === false) stop ??= withheld;
          stop ??= call?.stop;
          ends.push(waiting.end(input, id));
        }
        await Promise.all(ends);
        return stop === undefined ? goOn : stopped(stop);
      },
      () => stopped(withheld),
    );
  }

  /** Settles the calls that the SDK will say no more of. */
  ended(input: HookInput, caller: AbortSignal): Promise<HookOutput> {
    return this.#within(
      caller,
      async () => {
        const isSession = input.hook_event_name === "SessionEnd";
        await this.#options.waiting.endAll(input, isSession);
        return goOn;
      },
      () => goOn,
    );
  }

  #within(
    caller: AbortSignal,
    work: () => Promise<HookOutput>,
    otherwise: () => HookOutput,
    end?: (reason: unknown) => void,
  ): Promise<HookOutput> {
    const { deadlines, deadlineMs } = this.#options;
    return deadlines.within(deadlineMs, caller, work, otherwise, end);
  }
}

/** Another hook, or whoever gave a permission, may have changed the arguments since. */
function isDecided({ tool_input }: ToolHookInput, { call }: OpenedCall): boolean {
  return sameJson(tool_input, call.args);
}

/** Content parts, as MCP has them, are parts to judges; anything else is JSON. */
function answered(response: unknown): unknown {
  const isParts = Array.isArray(response) && response.length > 0 && response.every(isPart);
  return isParts ? toolResult({ content: response }) : response;
}

function isPart(part: unknown): boolean {
  return typeof (Object(part) as { type?: unknown }).type === "string";
}

function isSame(response: unknown, value: unknown): boolean {
  return JSON.stringify(response) === JSON.stringify(value);
}
