import { Call, RunIdentity, Scope } from "../../src/call.js";
import { defaultLimits } from "../../src/json.js";
import { parseArguments } from "../../src/parse.js";
import type {
  CallHead,
  GuardrailProvider,
  GuardrailResult,
  JsonObject,
  ToolCall,
  ToolOutcome,
  ToolResult,
} from "../../src/protocol.js";
import { Result } from "../../src/result.js";
import { allow, deny } from "../../src/verdict.js";
import { HandClock } from "./hand-clock.js";

/** What was reported of somebody's fault: who, in which phase, and what. */
export type Reported = readonly [source: string, phase: string, error: unknown];

export interface Asked {
  readonly clock: HandClock;
  readonly scope: Scope;
  readonly faults: Reported[];
}

/** A scope on a clock that stands still. */
export function scopeOn(
  options: {
    clock?: HandClock;
    timeoutMs?: number;
    caller?: AbortSignal | undefined;
    limits?: typeof defaultLimits;
  } = {},
): Asked {
  const clock = options.clock ?? new HandClock();
  const faults: Reported[] = [];
  const scope = new Scope(
    clock,
    options.limits ?? defaultLimits,
    options.timeoutMs ?? 5_000,
    (...fault) => void faults.push(fault),
    options.caller,
  );
  return { clock, scope, faults };
}

/** A call made by core, with plain arguments read as a runner reads them. */
export function callOf(
  args: object = {},
  options: {
    toolName?: string;
    requestedName?: string;
    scope?: Scope;
    run?: object | undefined;
    tool?: CallHead["tool"];
  } = {},
): Call {
  const toolName = options.toolName ?? "send_mail";
  const parsed = parseArguments(args);
  if (!parsed.ok) throw new Error(`the test's own arguments are refused: ${parsed.code}`);
  return new Call(
    options.run ?? new RunIdentity(),
    "turn-1",
    "call-1",
    toolName,
    options.requestedName ?? toolName,
    "agent-1",
    Object.freeze({ sessionId: "session-1" }),
    options.tool,
    undefined,
    parsed.args,
    options.scope ?? scopeOn().scope,
  );
}

/** A call that core did not make: what a host that only knows the protocol would pass. */
export function foreignCall(args: JsonObject = {}, changes: Partial<ToolCall> = {}): ToolCall {
  return {
    run: {},
    runId: "foreign-run",
    callId: "foreign-call",
    toolName: "send_mail",
    requestedName: "send_mail",
    context: {},
    args,
    signal: new AbortController().signal,
    ...changes,
  };
}

/** A provider that notes the arguments of each question it is asked. */
export function provider(
  name: string,
  evaluate: (call: ToolCall) => unknown = () => ({ decision: "allow" }),
  more: Partial<GuardrailProvider> = {},
): GuardrailProvider & { readonly asked: JsonObject[] } {
  const asked: JsonObject[] = [];
  return {
    name,
    asked,
    evaluate: (call) => {
      asked.push(call.args);
      return evaluate(call) as GuardrailResult;
    },
    ...more,
  };
}

/** A guard as a class with private state: it allows once. */
export class Counting implements GuardrailProvider {
  readonly name = "counting";
  #asked = 0;
  evaluate(): GuardrailResult {
    this.#asked++;
    return this.#asked > 1 ? deny(`asked ${this.#asked} times`) : allow();
  }
}

/** An outcome to be told of, where nothing of it is read. */
export const outcome = Object.freeze({ status: "aborted" }) as unknown as ToolOutcome;

export function resultOf(content: ToolResult["content"] = "sent"): ToolResult {
  return new Result("call-1", "send_mail", false, content);
}
