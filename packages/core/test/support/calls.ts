import { Scope } from "../../src/call/caller.js";
import { Call, RunIdentity } from "../../src/call/head.js";
import { Result } from "../../src/call/result.js";
import { allow, deny } from "../../src/guard/verdicts.js";
import { parseArguments } from "../../src/json/parse.js";
import { defaultLimits } from "../../src/json/snapshot.js";
import type {
  CallHead,
  GuardrailProvider,
  GuardrailResult,
  JsonObject,
  ToolCall,
  ToolResult,
} from "../../src/protocol/guardrail.js";
import type { ToolOutcome } from "../../src/protocol/outcome.js";
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
  const terms = {
    clock,
    limits: options.limits ?? defaultLimits,
    timeoutMs: options.timeoutMs ?? 5_000,
    report: (...fault: Reported) => void faults.push(fault),
  };
  const scope = new Scope(terms, options.caller);
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
  const head = {
    run: options.run ?? new RunIdentity(),
    turnId: "turn-1",
    callId: "call-1",
    toolName,
    requestedName: options.requestedName ?? toolName,
    agentName: "agent-1",
    context: Object.freeze({ sessionId: "session-1" }),
    tool: options.tool,
    receipt: undefined,
  };
  return new Call(head, parsed.args, options.scope ?? scopeOn().scope);
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
