import {
  type Allow,
  allow,
  allowAll,
  type CallRecord,
  type Deny,
  type Fault,
  type GuardrailProvider,
  type JsonObject,
  type ResultGuardrail,
  type Tool,
  type ToolContext,
  type ToolObserver,
  type ToolOutcome,
  ToolRunner,
  type ToolRunnerOptions,
} from "../../src/index.js";

/** One call of the tool that `spyTool()` makes. */
export const request = { name: "send", arguments: '{"to":"ada"}', callId: "c1" };

/** The making of a runner, for what it throws. */
export const made = (options: object) => () =>
  new ToolRunner({ guardrails: [], ...options } as ToolRunnerOptions);

export interface SpyTool extends Tool<JsonObject> {
  /** The arguments of each run. */
  readonly runs: JsonObject[];
  readonly contexts: ToolContext[];
}

/** A tool that remembers each run. The members are its definition; `runs` is read off it by the test alone. */
export function spyTool(
  name = "send",
  act: (args: JsonObject, context: ToolContext) => unknown = () => "done",
  more: Partial<Omit<Tool<JsonObject>, "name" | "execute">> = {},
): SpyTool {
  const runs: JsonObject[] = [];
  const contexts: ToolContext[] = [];
  return {
    ...more,
    name,
    runs,
    contexts,
    execute: (args, context) => {
      runs.push(args);
      contexts.push(context);
      return act(args, context);
    },
  };
}

/** A provider that allows, but for what the test says. */
export function guard(
  name: string,
  members: Partial<Omit<GuardrailProvider, "name">> = {},
): GuardrailProvider {
  return { evaluate: () => allow(), ...members, name };
}

export interface SpyObserver extends ToolObserver {
  readonly announced: CallRecord[];
  readonly records: CallRecord[];
}

export function spyObserver(members: Partial<ToolObserver> = {}): SpyObserver {
  const announced: CallRecord[] = [];
  const records: CallRecord[] = [];
  return {
    name: "spy",
    announced,
    records,
    intent: (record) => {
      announced.push(record);
    },
    settle: (record) => {
      records.push(record);
    },
    ...members,
  };
}

/** A guard with a quota of so many calls, given back when a call did not run. */
export function quota(
  name: string,
  most: number,
): GuardrailProvider & { readonly taken: () => number } {
  const holders = new Set<object>();
  let taken = 0;
  return {
    name,
    taken: () => taken,
    evaluate: () => allow(),
    admit: (call): Allow | Deny => {
      if (taken >= most) return { decision: "deny", reason: "quota exceeded", code: "quota" };
      taken++;
      holders.add(call.run);
      return allow();
    },
    settle: (call, outcome) => {
      if (holders.delete(call.run) && outcome.executed === false) taken--;
    },
  };
}

/** The text that the model reads. */
export function textOf(outcome: ToolOutcome): string {
  const { content } = outcome.result;
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** Everything in a value that a string can be found in, an error's parts too. */
export function everythingIn(value: unknown): string {
  const seen = new Set<object>();
  return (
    JSON.stringify(value, (_key, each: unknown) => {
      if (typeof each === "bigint") return String(each);
      if (typeof each !== "object" || each === null) return each;
      if (seen.has(each)) return "[again]";
      seen.add(each);
      if (each instanceof Error) return { ...each, message: each.message, cause: each.cause };
      return each;
    }) ?? ""
  );
}

/** Do something while data is planted on `Object.prototype`. */
export async function polluted<T>(
  data: Record<string, unknown>,
  act: () => Promise<T>,
): Promise<T> {
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  try {
    for (const [key, value] of Object.entries(data)) {
      // Without a prototype: a planted `get` would be taken for an accessor.
      const descriptor = Object.assign(Object.create(null), {
        value,
        configurable: true,
        enumerable: true,
        writable: true,
      });
      Object.defineProperty(prototype, key, descriptor);
    }
    return await act();
  } finally {
    for (const key of Object.keys(data)) delete prototype[key];
  }
}

/** A call of the tool `send`. */
export const sendRequest = { name: "send", arguments: { to: "ada" }, callId: "c1" };

/** Runs `sendRequest` with a tool that does this, and with these judges. */
export function outcomeOf(
  act: () => unknown,
  judges: readonly ResultGuardrail[] = [],
): Promise<ToolOutcome> {
  const runner = new ToolRunner({
    tools: [spyTool("send", act)],
    guardrails: [allowAll(), ...judges],
  });
  return runner.run(sendRequest);
}

/** A listener for faults, and what it was told: who, in which phase, and the message. */
export function told() {
  const faults: string[] = [];
  const onFault = ({ source, phase, error }: Fault): void =>
    void faults.push(`${source} ${phase}: ${(error as Error).message}`);
  return { faults, onFault };
}
