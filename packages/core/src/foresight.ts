import { Call, RunIdentity, Scope } from "./call.js";
import type { Entry } from "./catalogue.js";
import type { Clock } from "./clock.js";
import { defaultLimits } from "./json.js";
import type { Judgement } from "./judgement.js";
import { asksToBeLifted } from "./lifted.js";
import type { Link } from "./link.js";
import { quoted } from "./naming.js";
import type { CallContext, JsonObject, Stopped } from "./protocol.js";
import { hostFacts, own, type RunOptions } from "./request.js";
import type { Settings } from "./run.js";

/** Who would call, and on whose behalf. */
export type ForeseeOptions = Pick<RunOptions, "agentName" | "context">;

interface Foreseen {
  readonly toolName: string;
  readonly entry: Entry | undefined;
  readonly agentName: string | undefined;
  readonly context: CallContext;
}

/** Links that answered by a promise. They may ask somebody else, at a price, and are not asked beforehand again. */
const slow = new WeakSet<Link>();

/**
 * The denial that a call would meet whatever its arguments, or nothing where
 * that cannot be told without them.
 *
 * Guards are asked about arguments that cannot be looked at: only a denial by
 * one that did not try counts. One that takes something, or is told how calls
 * end, may deny now and allow later; it is not asked.
 */
export function foreseeDenial(
  requestedName: string,
  options: ForeseeOptions,
  { catalogue, resolve }: Pick<Settings, "catalogue" | "resolve">,
  ownAgent: string | undefined,
): Stopped | undefined {
  const toolName = resolve(requestedName);
  const entry = catalogue.get(toolName);
  if (entry?.refusedBy !== undefined) {
    const reason = `tool ${quoted(toolName)} was refused when it was declared: ${entry.refusal}`;
    return { basis: "policy", decidedBy: entry.refusedBy, code: "tool_refused", reason };
  }
  const context = hostFacts(own(options, "context"));
  if (context === undefined) return undefined;
  const call = { toolName, entry, agentName: own(options, "agentName") ?? ownAgent, context };
  let mayBeJudged = false;
  for (const link of (entry?.policy ?? catalogue.base).call) {
    if (!link.covers(toolName) || !link.facts.counts) continue;
    const answer = asked(link, call);
    if (answer === "applies not") continue;
    mayBeJudged = true;
    if (answer !== "cannot tell") return stopped(answer, link);
  }
  if (mayBeJudged) return undefined;
  const reason = `no guardrail judged tool ${quoted(toolName)}; add one that does, or allowAll()`;
  return { basis: "no_provider", decidedBy: "core", code: "no_provider", reason };
}

function stopped({ decidedBy, code, reason }: Judgement, { facts }: Link): Stopped {
  return {
    basis: "policy",
    decidedBy: decidedBy ?? facts.name,
    code,
    reason: reason ?? "policy violation",
  };
}

function asked(link: Link, call: Foreseen): Judgement | "applies not" | "cannot tell" {
  const args = new UnseenArguments();
  const question = questionOf(call, args);
  try {
    const applies = link.applies(question);
    if (args.seen) return "cannot tell";
    if (applies === false) return "applies not";
    if (applies !== true || changes(link) || slow.has(link)) return "cannot tell";
    const answer = link.answer("call", question);
    if (answer instanceof Promise) {
      slow.add(link);
      return "cannot tell";
    }
    const denies = answer.decision === "deny" && answer.basis === "policy";
    return denies && !args.seen && !asksToBeLifted(answer) ? answer : "cannot tell";
  } catch {
    // Not what one guard answered, but what was made of several without the arguments.
    return "cannot tell";
  }
}

/** Whether what it answers hangs on calls that were there before. */
function changes(link: Link): boolean {
  return link.answers("admit") || link.facts.settle !== undefined;
}

function questionOf(
  { toolName, entry, agentName, context }: Foreseen,
  { proxy }: UnseenArguments,
): Call {
  // A caller who has gone already: nobody waits for an answer that is not there at once.
  const scope = new Scope(still, defaultLimits, 1, () => {}, gone);
  const tool = entry?.definition;
  const run = new RunIdentity();
  return new Call(
    run,
    undefined,
    "",
    toolName,
    toolName,
    agentName,
    context,
    tool,
    undefined,
    proxy,
    scope,
  );
}

const gone = AbortSignal.abort();
const still: Clock = { now: () => 0, setTimeout: () => undefined, clearTimeout: () => {} };

/** Arguments that remember whether somebody tried to look at them, also if what that threw was caught. */
class UnseenArguments {
  seen = false;
  readonly proxy: JsonObject;

  constructor() {
    const look = (): never => {
      this.seen = true;
      throw new Error("There are no arguments to look at: nobody has called the tool yet.");
    };
    this.proxy = new Proxy({}, Object.fromEntries(traps.map((trap) => [trap, look])));
  }
}

const traps: readonly (keyof ProxyHandler<object>)[] = [
  "get",
  "has",
  "ownKeys",
  "getOwnPropertyDescriptor",
  "getPrototypeOf",
  "isExtensible",
  "set",
  "defineProperty",
  "deleteProperty",
  "preventExtensions",
  "setPrototypeOf",
];
