import { Scope } from "../call/caller.js";
import { Call, RunIdentity } from "../call/head.js";
import { hostFacts } from "../call/host-facts.js";
import type { RunOptions } from "../call/request.js";
import { Unreadable } from "../call/unreadable.js";
import { quoted } from "../errors/names.js";
import { asksForApproval } from "../guard/grants.js";
import type { Guard } from "../guard/guard.js";
import type { Denial } from "../guard/read-decision.js";
import { own } from "../json/own.js";
import { defaultLimits } from "../json/snapshot.js";
import type { CallContext, JsonObject } from "../protocol/guardrail.js";
import type { Stopped } from "../protocol/outcome.js";
import type { RunnerContext } from "../run/run.js";
import type { Clock } from "../time/clock.js";
import type { RegisteredTool } from "../tool/registry.js";

/** The agent that would call, and the host's facts. */
export type DenialOfOptions = Pick<RunOptions, "agentName" | "context">;

interface Foreseen {
  readonly toolName: string;
  readonly tool: RegisteredTool | undefined;
  readonly agentName: string | undefined;
  readonly context: CallContext;
}

/** Guards that answered with a promise. They may ask a paid service, and are not asked again before a call. */
const slow = new WeakSet<Guard>();

/**
 * Returns what gives the denial that a call of a tool would get with any arguments;
 * undefined if that depends on the arguments.
 *
 * Guards are asked about arguments that cannot be read: only a denial by a guard
 * that did not try to read them counts. A guard with `admit` or `settle` may deny
 * now and allow later; it is not asked.
 */
export function denials(
  options: DenialOfOptions,
  { tools, resolve, agentName: ownAgent }: Pick<RunnerContext, "tools" | "resolve" | "agentName">,
): (requestedName: string) => Stopped | undefined {
  const context = hostFacts(own(options, "context"));
  const agentName = own(options, "agentName") ?? ownAgent;
  return (requestedName) => {
    const toolName = resolve(requestedName);
    const { registry } = tools;
    const tool = registry.get(toolName);
    if (tool?.refusedBy !== undefined) {
      const reason = `tool ${quoted(toolName)} was refused when it was declared: ${tool.refusal}`;
      return { basis: "policy", decidedBy: tool.refusedBy, code: "tool_refused", reason };
    }
    if (typeof context === "string" || context instanceof Unreadable) return undefined;
    const { call: guards } = tool?.guards ?? registry.guardsOf(toolName);
    return denialBy(guards, { toolName, tool, agentName, context });
  };
}

function denialBy(guards: readonly Guard[], call: Foreseen): Stopped | undefined {
  const args = new UnseenArguments();
  const question = questionOf(call, args);
  let mayBeJudged = false;
  for (const guard of guards) {
    if (!guard.facts.counts) continue;
    const answer = asked(guard, question, args);
    if (answer === "applies not") continue;
    mayBeJudged = true;
    if (answer !== "cannot tell") return stopped(answer, guard);
  }
  if (mayBeJudged) return undefined;
  const reason = `no guardrail judged tool ${quoted(call.toolName)}; add one that does, or allowAll()`;
  return { basis: "no_provider", decidedBy: "core", code: "no_provider", reason };
}

function stopped({ decidedBy, code, reason }: Denial, { facts }: Guard): Stopped {
  return {
    basis: "policy",
    decidedBy: decidedBy ?? facts.name,
    code,
    reason,
  };
}

function asked(
  guard: Guard,
  question: Call,
  args: UnseenArguments,
): Denial | "applies not" | "cannot tell" {
  args.seen = false;
  try {
    const applies = guard.hasSay(question);
    if (args.seen) return "cannot tell";
    if (applies === false) return "applies not";
    if (applies !== true || changes(guard) || slow.has(guard)) return "cannot tell";
    const answer = guard.answer("call", question);
    if (answer instanceof Promise) {
      slow.add(guard);
      return "cannot tell";
    }
    const denies = answer?.decision === "deny" && answer.basis === "policy";
    return denies && !args.seen && !asksForApproval(answer) ? answer : "cannot tell";
  } catch {
    // The error comes from the code that joins several guards, which lacks the arguments.
    return "cannot tell";
  }
}

/** True if its answer depends on earlier calls. */
function changes(guard: Guard): boolean {
  return guard.answers("admit") || guard.facts.settle !== undefined;
}

function questionOf(
  { toolName, tool, agentName, context }: Foreseen,
  { proxy }: UnseenArguments,
): Call {
  // The signal of the caller is aborted already: an answer that does not come at once is not awaited.
  const scope = new Scope(
    { clock: still, limits: defaultLimits, timeoutMs: 1, report: () => {} },
    gone,
  );
  const head = {
    run: new RunIdentity(),
    turnId: undefined,
    callId: "",
    toolName,
    requestedName: toolName,
    agentName,
    context,
    tool: tool?.definition,
    receipt: undefined,
  };
  return new Call(head, proxy, scope);
}

const gone = AbortSignal.abort();
const still: Clock = { now: () => 0, setTimeout: () => undefined, clearTimeout: () => {} };

/** One for all: to make an error takes longer than to ask a guard. */
const unread = Object.freeze(
  new Error("The arguments cannot be read: the tool has not been called yet."),
);

/** Arguments that remember if the guard that is being asked tried to read them, even if it caught the error. */
class UnseenArguments implements ProxyHandler<JsonObject> {
  seen = false;
  readonly proxy: JsonObject = new Proxy({}, this);

  #look(): never {
    this.seen = true;
    throw unread;
  }

  get(): never {
    return this.#look();
  }

  has(): never {
    return this.#look();
  }

  ownKeys(): never {
    return this.#look();
  }

  getOwnPropertyDescriptor(): never {
    return this.#look();
  }

  getPrototypeOf(): never {
    return this.#look();
  }

  isExtensible(): never {
    return this.#look();
  }

  set(): never {
    return this.#look();
  }

  defineProperty(): never {
    return this.#look();
  }

  deleteProperty(): never {
    return this.#look();
  }

  preventExtensions(): never {
    return this.#look();
  }

  setPrototypeOf(): never {
    return this.#look();
  }
}
