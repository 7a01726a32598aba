import {
  type RunOptions,
  ToolRunner,
  type ToolRunnerOptions,
  ToolstileError,
} from "@toolstile/core";
import { guardingTable } from "@toolstile/core/host";
import { func, type OptionTable, readOptions, such } from "@toolstile/core/provider";
import { denied, stopped } from "./answers.js";
import { checkSettings } from "./check-settings.js";
import { Deadlines, isWait, longestWaitMs } from "./deadline.js";
import { heldHooks, heldPermission } from "./own-hooks.js";
import type {
  BatchHookInput,
  CanUseTool,
  HookCallback,
  HookInput,
  HookMatcher,
  HookOutput,
  Hooks,
  QueryOptions,
  ToolHookInput,
} from "./sdk.js";
import { ToolHooks } from "./tool-hooks.js";
import { WaitingCalls } from "./waiting-calls.js";

export interface GuardQueryOptions extends Omit<ToolRunnerOptions, "aliases"> {
  /**
   * The host's facts about a call. What it says of `agentName` or `context`
   * takes the place of the SDK's agent type and session. Where it throws or
   * answers later, the call is denied.
   */
  readonly describe?: ((input: ToolHookInput) => RunOptions) | undefined;
  /** Milliseconds after which a hook answers, whatever the guards do: the call is denied, its result withheld. Default 50,000. An approver that waits for a human needs more. */
  readonly deadlineMs?: number | undefined;
  /** Milliseconds after which a call settles as released where the SDK never said what became of it. Default one hour. */
  readonly openForMs?: number | undefined;
}

const milliseconds = () =>
  such<number>(isWait, `a number of milliseconds above 0 and at most ${longestWaitMs}`);

const queryTable = {
  ...guardingTable,
  tools: such<NonNullable<ToolRunnerOptions["tools"]>>(Array.isArray, "an array of tools"),
  describe: func<(input: ToolHookInput) => RunOptions>(),
  deadlineMs: milliseconds().default(50_000),
  openForMs: milliseconds().default(3_600_000),
} satisfies OptionTable<GuardQueryOptions>;

/**
 * Put guards into the options of `query()`: same type in, same type out.
 *
 * Every call of a tool is decided before it runs, of whichever kind and
 * whatever the permission mode; a guard that allows leaves the permission to
 * the SDK's rules. Hooks and `canUseTool` of your own stay, but may change
 * neither arguments nor results: what they would change is denied.
 *
 * @throws ToolstileError as `ToolRunner` does, and `ERR_UNSUPPORTED` for options
 * that would keep hooks from running, or arguments from being held.
 */
export function guardQuery<Options extends object>(
  queryOptions: Options,
  options: GuardQueryOptions,
): Options {
  const given = readOptions("guardQuery()", options, queryTable);
  const { hooks, canUseTool } = checkedQuery(queryOptions);
  checkSettings(queryOptions);
  const { describe, deadlineMs, openForMs, ...guarding } = given;
  const runner = new ToolRunner(guarding);
  const deadlines = new Deadlines(guarding.clock);
  const waiting = new WaitingCalls(deadlines, openForMs);
  const maxOpenCalls = guarding.maxOpenCalls ?? 100_000;
  const tools = new ToolHooks({ runner, waiting, deadlines, deadlineMs, maxOpenCalls, describe });
  // The SDK's own deadline is the last resort: after a result it lets the result pass.
  const timeout = Math.ceil(deadlineMs / 1_000) + 10;
  const merged: Record<string, readonly HookMatcher[]> = { ...heldHooks(hooks) };
  for (const [event, hook] of Object.entries(callbacks(tools))) {
    const matcher = { hooks: [hook], timeout, onFailure: "block" } as const;
    merged[event] = [matcher, ...(merged[event] ?? [])];
  }
  return {
    ...queryOptions,
    hooks: merged,
    ...(canUseTool === undefined ? undefined : { canUseTool: heldPermission(canUseTool) }),
  };
}

function callbacks(tools: ToolHooks): Readonly<Record<string, HookCallback>> {
  const ended = closed<HookInput>(broken, (input, signal) => tools.ended(input, signal));
  return {
    PreToolUse: closed<ToolHookInput>(denied("Tool call denied: it cannot be read"), (...told) =>
      tools.before(...told),
    ),
    PostToolUse: closed<ToolHookInput>(broken, (...told) => tools.after(...told)),
    PostToolUseFailure: closed<ToolHookInput>(broken, (...told) => tools.failed(...told)),
    PostToolBatch: closed<BatchHookInput>(broken, (...told) => tools.batch(...told)),
    Stop: ended,
    StopFailure: ended,
    SubagentStop: ended,
    SessionEnd: ended,
  };
}

const broken = stopped("Tool result withheld: it cannot be read");

/** A hook that never throws: the SDK ignores an error, and lets the tool run. */
function closed<Input extends HookInput>(
  otherwise: HookOutput,
  act: (input: Input, signal: AbortSignal) => Promise<HookOutput>,
): HookCallback {
  return async (input, _, options) => {
    try {
      return await act(input as Input, options.signal);
    } catch {
      return otherwise;
    }
  };
}

function checkedQuery(queryOptions: object): {
  readonly hooks: Hooks;
  readonly canUseTool: CanUseTool | undefined;
} {
  const { hooks = {}, canUseTool } = Object(queryOptions) as QueryOptions;
  const isObject = typeof queryOptions === "object" && queryOptions !== null;
  if (!isObject || typeof hooks !== "object" || hooks === null) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "The first argument of guardQuery() must be the options of query(): an object whose hooks are lists by event.",
    );
  }
  for (const [event, matchers] of Object.entries(hooks)) {
    if (matchers === undefined || (Array.isArray(matchers) && matchers.every(isMatcher))) continue;
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `The hooks for ${event} must be a list of { hooks: [function] }.`,
    );
  }
  if (canUseTool !== undefined && typeof canUseTool !== "function") {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `canUseTool must be a function, received ${typeof canUseTool}.`,
    );
  }
  return { hooks: hooks as Hooks, canUseTool: canUseTool as CanUseTool | undefined };
}

function isMatcher(matcher: unknown): boolean {
  const { hooks } = Object(matcher) as { hooks?: unknown };
  return Array.isArray(hooks) && hooks.every((hook) => typeof hook === "function");
}
