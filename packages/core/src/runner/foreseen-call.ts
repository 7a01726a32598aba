import { Scope } from "../call/caller.js";
import { Call, RunIdentity } from "../call/head.js";
import { defaultLimits } from "../json/snapshot.js";
import type { CallContext, CallHead, JsonObject, ToolCall } from "../protocol/guardrail.js";
import type { Clock } from "../time/clock.js";

/** The facts that are known of a call before anybody made it. */
export type Foreseen = Pick<CallHead, "toolName" | "requestedName" | "tool" | "agentName"> & {
  readonly context: CallContext;
};

/** Makes a call that nobody made: to read of it what only a call has throws, and is remembered. */
export function foreseenCall(foreseen: Foreseen, unseen: Unseen): Call {
  const head = { ...foreseen, run: new RunIdentity(), turnId: undefined, callId: "" };
  return new ForeseenCall({ ...head, receipt: undefined }, unseen.args, new ForeseenScope(unseen));
}

/** One for all: to make an error takes longer than to ask a guard. */
const unread = Object.freeze(
  new Error("This part of a call cannot be read: the tool has not been called yet."),
);

/** The members that only a call has. It remembers if the guard that is being asked tried to read it, even if it caught the error. */
export class Unseen implements ProxyHandler<JsonObject> {
  seen = false;
  readonly args: JsonObject = new Proxy({}, this);
  /** The call that was made last for a guard to see. The next guard mostly sees the same call. */
  shown: { readonly of: Call; readonly call: ToolCall } | undefined;

  look(): never {
    this.seen = true;
    throw unread;
  }

  get(): never {
    return this.look();
  }

  has(): never {
    return this.look();
  }

  ownKeys(): never {
    return this.look();
  }

  getOwnPropertyDescriptor(): never {
    return this.look();
  }

  getPrototypeOf(): never {
    return this.look();
  }

  isExtensible(): never {
    return this.look();
  }

  set(): never {
    return this.look();
  }

  defineProperty(): never {
    return this.look();
  }

  deleteProperty(): never {
    return this.look();
  }

  preventExtensions(): never {
    return this.look();
  }

  setPrototypeOf(): never {
    return this.look();
  }
}

const still: Clock = { now: () => 0, setTimeout: () => undefined, clearTimeout: () => {} };
const terms = { clock: still, limits: defaultLimits, timeoutMs: 1, report: () => {} };
const gone = AbortSignal.abort();

/** The scope of a call that nobody made. Its caller has given up already: an answer that does not come at once is not awaited. */
class ForeseenScope extends Scope {
  readonly unseen: Unseen;

  constructor(unseen: Unseen) {
    super(terms, gone);
    this.unseen = unseen;
  }

  override child(): Scope {
    return new ForeseenScope(this.unseen);
  }
}

class ForeseenCall extends Call {
  override get shown(): ToolCall {
    const { unseen } = Call.scopeOf(this) as ForeseenScope;
    if (unseen.shown?.of !== this) unseen.shown = { of: this, call: shownOf(this, unseen) };
    return unseen.shown.call;
  }

  override with(args: JsonObject): Call {
    return new ForeseenCall(this, args, Call.scopeOf(this));
  }

  override under(scope: Scope): Call {
    return new ForeseenCall(this, this.args, scope);
  }
}

function shownOf(
  { run, toolName, requestedName, agentName, context, tool, args }: ToolCall,
  unseen: Unseen,
): ToolCall {
  return Object.freeze({
    run,
    toolName,
    requestedName,
    agentName,
    context,
    tool,
    args,
    get runId(): string {
      return unseen.look();
    },
    get turnId(): string {
      return unseen.look();
    },
    get callId(): string {
      return unseen.look();
    },
    get receipt(): string {
      return unseen.look();
    },
    get signal(): AbortSignal {
      return unseen.look();
    },
  });
}
