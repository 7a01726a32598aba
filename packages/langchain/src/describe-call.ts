import type { BaseMessage } from "@langchain/core/messages";
import type { RunOptions } from "@toolstile/core";
import type { ToolCallRequest } from "langchain";

/** What the host knows of a call beside what the framework says of it. */
export type HostFacts = Pick<RunOptions, "agentName" | "context">;

/** What the framework tells of one call. */
export interface DescribedCall
  extends Pick<ToolCallRequest<Record<string, unknown>>, "toolCall" | "tool"> {
  /** The state of the graph: `messages`, and what else is in it. */
  readonly state: { readonly messages: readonly BaseMessage[]; readonly [key: string]: unknown };
  /** Of a tool node, its whole config. */
  readonly runtime: {
    readonly context?: unknown;
    readonly configurable?: Readonly<Record<string, unknown>> | undefined;
    readonly signal?: AbortSignal | undefined;
  };
}

/** Where something is to be known of the host and cannot be, core denies the call: this cannot be read. */
const unreadable: HostFacts = Object.freeze({
  context: Object.freeze({
    get sessionId(): never {
      throw new TypeError("describe() gave no facts");
    },
  }),
});

/**
 * The agent's name and the thread, as the framework has them, and over these
 * what the host says.
 *
 * What is no plain object, or has a promise for a fact, would be missing
 * without a word where a guard looks for it: such a call is denied.
 */
export function factsOf(
  call: DescribedCall,
  describe: ((call: DescribedCall) => HostFacts) | undefined,
  metadata: Readonly<Record<string, unknown>> | undefined,
): HostFacts {
  const agentName = textOf(metadata, "lc_agent_name");
  const sessionId = textOf(call.runtime.configurable, "thread_id");
  const known = { agentName, context: { sessionId } };
  if (describe === undefined) return known;
  try {
    const said: unknown = describe(call);
    if (!isPlain(said) || isPromise(said)) return unreadable;
    const facts: HostFacts = { ...said };
    // A promise must be seen to, even where another one is refused before it.
    if (Object.values(facts).map(isPromise).includes(true)) return unreadable;
    return { ...known, ...facts };
  } catch {
    return unreadable;
  }
}

function textOf(facts: object | undefined, key: string): string | undefined {
  const value: unknown =
    facts !== undefined && Object.hasOwn(facts, key) ? facts[key as never] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Nobody waits for what a promise brings: should it reject, that is no news. */
function isPromise(value: unknown): boolean {
  if (typeof Object(value).then !== "function") return false;
  Promise.resolve(value).catch(() => {});
  return true;
}

/** Of any realm. What an instance of a class gives by its prototype would not be read. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null || isPromise(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (Object.getPrototypeOf(prototype) === null && !Array.isArray(value));
}
