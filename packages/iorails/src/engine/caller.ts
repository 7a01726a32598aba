import type { HostContext } from "@toolstile/core/host";
import {
  type CallerSignal,
  group,
  type OptionsOf,
  object,
  sharedSignal,
  such,
  text,
} from "@toolstile/core/provider";

/** The caller of a request, and the signal by which they give up. */
export interface Caller {
  readonly context: HostContext | undefined;
  readonly agentName: string | undefined;
  readonly signal: CallerSignal | undefined;
}

const fact = text().or(null);

/** The options of a request that say who makes it. Null counts as absent. */
export const callerTable = {
  context: group({
    sessionId: fact,
    principal: fact,
    tenant: fact,
    traceparent: fact,
    attributes: object<NonNullable<HostContext["attributes"]>>().or(null),
  }).or(null),
  agentName: fact,
  signal: such<CallerSignal>(isSignal, "an AbortSignal").or(null),
};

/** The caller as it is now: a host may use one object for many requests. */
export function callerOf({ context, agentName, signal }: OptionsOf<typeof callerTable>): Caller {
  return {
    context: contextOf(context ?? undefined),
    agentName: agentName ?? undefined,
    signal: signal ? sharedSignal(signal) : undefined,
  };
}

function contextOf(facts: object | undefined): HostContext | undefined {
  if (facts === undefined) return undefined;
  const context: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(facts)) {
    if (value !== null) context[name] = name === "attributes" ? Object.freeze({ ...value }) : value;
  }
  return Object.freeze(context);
}

/** True for a signal of any realm. */
function isSignal(value: unknown): value is AbortSignal {
  const signal = Object(value) as Partial<AbortSignal>;
  return typeof signal.addEventListener === "function" && typeof signal.aborted === "boolean";
}
