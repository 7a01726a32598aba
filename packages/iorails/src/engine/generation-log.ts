import type { Completion } from "../chat/message.js";
import type { RailMetadata, RailVerdict } from "../model-rails/rail.js";
import type { Violation } from "../violation.js";

/** The record of what ran for one request, in NeMo's words. Neither a text that was judged nor a model's stands in it. */
export interface GenerationLog {
  /** The rails that came to a verdict, and the main model, in the order of a request's way; empty unless `activated_rails` is asked for. */
  readonly activated_rails: readonly ActivatedRail[];
  readonly stats: GenerationStats;
  /** The answers of models; absent unless `llm_calls` is asked for. */
  readonly llm_calls?: readonly LlmCall[] | undefined;
}

/** A rail that ran. Times are seconds since the epoch, durations are seconds. */
export interface ActivatedRail {
  readonly type: "input" | "output" | "tool_call" | "tool_result" | "generation";
  /** The flow as it is written in the configuration, the guard of the host that denied, or "generation". */
  readonly name: string;
  readonly decisions: readonly [];
  readonly executed_actions: readonly ExecutedAction[];
  /** True if it blocked the request. */
  readonly stop: boolean;
  readonly additional_info: null;
  readonly started_at: number;
  readonly finished_at: number;
  readonly duration: number;
}

/** The work of a rail. */
export interface ExecutedAction {
  /** The name of the flow without its parameters, with underscores. */
  readonly action_name: string;
  readonly action_params: Readonly<Record<string, never>>;
  /** The findings of the rail, then `allowed` and `failed`. Null for the main model. */
  readonly return_value: RailMetadata | null;
  readonly llm_calls: readonly LlmCall[];
  readonly started_at: number;
  readonly finished_at: number;
  readonly duration: number;
}

/** An answer of a model, without its question and its text. */
export interface LlmCall {
  /** The name of the action that asked, or "general" for the main model. */
  readonly task: string;
  readonly llm_model_name: string;
  readonly llm_provider_name: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly started_at: number;
  readonly finished_at: number;
  readonly duration: number;
}

/** The sums of a request. Durations are seconds; those of rails that ran together are added up. */
export interface GenerationStats {
  /** The rails on input and on results of tools. */
  readonly input_rails_duration: number | null;
  readonly generation_rails_duration: number | null;
  /** The rails on output and on calls of tools. */
  readonly output_rails_duration: number | null;
  readonly total_duration: number;
  readonly llm_calls_duration: number | null;
  readonly llm_calls_count: number;
  readonly llm_calls_total_prompt_tokens: number;
  readonly llm_calls_total_completion_tokens: number;
  readonly llm_calls_total_tokens: number;
}

/** The parts of the log that a request asks for. */
export interface LogOptions {
  readonly activated_rails?: boolean | undefined;
  readonly llm_calls?: boolean | undefined;
}

type RailKind = ActivatedRail["type"];
const way: readonly RailKind[] = ["tool_result", "input", "generation", "tool_call", "output"];

/** The log of one request while it runs. @param now milliseconds since the epoch. */
export function requestLog(wanted: LogOptions, now: () => number) {
  const startedAt = now();
  const rails: LoggedRail[] = [];
  /** Notes that a rail begins. @param action the name of the flow without its parameters. */
  const rail = (type: RailKind, name: string, action = name): LoggedRail => {
    const begun = loggedRail(type, name, action.replaceAll(" ", "_"), now);
    rails.push(begun);
    return begun;
  };
  return {
    rail,
    /** Notes who blocked, as far as the rails that ran do not say it: a guard of the host, or a rail whose earlier verdict was kept. */
    blockedBy: (violations: readonly Violation[]): void => {
      for (const { kind, rail: name, violationType } of violations) {
        const isKnown = rails.some((each) => each.blocked(kind, name));
        if (name === undefined || isKnown) continue;
        rail(kind, name).decided(false, violationType === "rail_failed");
      }
    },
    /** The log as it is asked for. */
    written: (): GenerationLog => {
      const total = seconds(now() - startedAt);
      const ran = rails.flatMap((each) => each.written() ?? []);
      // The main model may have been asked before the input was judged.
      ran.sort((a, b) => way.indexOf(a.type) - way.indexOf(b.type));
      const calls = ran.flatMap(({ executed_actions: [action] }) => action?.llm_calls ?? []);
      return {
        activated_rails: wanted.activated_rails === true ? ran : [],
        stats: statsOf(ran, calls, total),
        ...(wanted.llm_calls === true && { llm_calls: calls }),
      };
    },
  };
}

export type RequestLog = ReturnType<typeof requestLog>;

/** A rail that has begun. One that never comes to a verdict is not written: it was cancelled. */
function loggedRail(type: RailKind, name: string, action: string, now: () => number) {
  const startedAt = now();
  const calls: LlmCall[] = [];
  let finishedAt: number | undefined;
  let stop = false;
  let found: RailMetadata | null = null;
  const decided = (allowed: boolean, failed: boolean, metadata?: RailMetadata): void => {
    finishedAt = now();
    stop = !allowed;
    found = { ...metadata, allowed, failed };
  };
  return {
    decided,
    /** Asks a model for this rail, and notes that it answered. */
    asking: async (
      { model, engine }: { readonly model: string; readonly engine: string },
      ask: () => Promise<Completion>,
    ): Promise<Completion> => {
      const askedAt = now();
      const completion = await ask();
      const { inputTokens = 0, outputTokens = 0 } = completion.usage ?? {};
      calls.push({
        task: type === "generation" ? "general" : action,
        llm_model_name: model,
        llm_provider_name: engine,
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
        ...timesOf(askedAt, now()),
      });
      return completion;
    },
    /** The main model has answered. */
    answered: (): void => {
      finishedAt = now();
    },
    judged: (verdict: RailVerdict): void => {
      const isBlock = verdict.status === "blocked";
      decided(!isBlock, isBlock && verdict.basis === "error", verdict.metadata);
    },
    /** @param by as it is written, or without parameters. */
    blocked: (of: RailKind, by = ""): boolean =>
      stop && type === of && (name === by || action === by.replaceAll(" ", "_")),
    written: (): ActivatedRail | undefined => {
      if (finishedAt === undefined) return undefined;
      const times = timesOf(startedAt, finishedAt);
      const ran: ExecutedAction = {
        action_name: type === "generation" ? "generate_bot_message" : action,
        action_params: {},
        return_value: found,
        llm_calls: calls,
        ...times,
      };
      return {
        type,
        name,
        decisions: [],
        executed_actions: [ran],
        stop,
        additional_info: null,
        ...times,
      };
    },
  };
}

export type LoggedRail = ReturnType<typeof loggedRail>;

function statsOf(
  rails: readonly ActivatedRail[],
  calls: readonly LlmCall[],
  total: number,
): GenerationStats {
  const lasted = (...types: readonly RailKind[]): number | null =>
    sumOf(
      rails.filter(({ type }) => types.includes(type)),
      "duration",
    );
  return {
    input_rails_duration: lasted("input", "tool_result"),
    generation_rails_duration: lasted("generation"),
    output_rails_duration: lasted("output", "tool_call"),
    total_duration: total,
    llm_calls_duration: sumOf(calls, "duration"),
    llm_calls_count: calls.length,
    llm_calls_total_prompt_tokens: sumOf(calls, "prompt_tokens") ?? 0,
    llm_calls_total_completion_tokens: sumOf(calls, "completion_tokens") ?? 0,
    llm_calls_total_tokens: sumOf(calls, "total_tokens") ?? 0,
  };
}

function sumOf<Key extends string>(
  all: readonly Readonly<Record<Key, number>>[],
  key: Key,
): number | null {
  return all.length === 0 ? null : all.reduce((sum, one) => sum + one[key], 0);
}

function timesOf(started: number, finished: number) {
  return {
    started_at: seconds(started),
    finished_at: seconds(finished),
    duration: seconds(finished - started),
  };
}

function seconds(milliseconds: number): number {
  return milliseconds / 1000;
}
