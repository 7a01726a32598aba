import type { ToolDeclaration } from "../protocol/declaration.js";
import type { CallContext } from "../protocol/guardrail.js";
import type { CallerSignal } from "../time/abort.js";

/** A call as a model asks for it. */
export interface CallRequest {
  readonly name: string;
  /** JSON text or an object. Absent or blank: `{}`. */
  readonly arguments?: unknown;
  readonly callId?: string | undefined;
  /** The proof of who issued the call; guards and the receipt signer see it. */
  readonly receipt?: string | undefined;
}

/** The host's facts as people have them: attributes of any type. */
export interface HostContext extends Omit<CallContext, "attributes"> {
  readonly attributes?: object | undefined;
}

/** The options of a call: the facts that the host states about it. */
export interface RunOptions {
  readonly agentName?: string | undefined;
  readonly context?: HostContext | undefined;
  readonly signal?: CallerSignal | undefined;
  /** Names the assistant message that the call belongs to. The call's id must then be unique among the open calls of that message, and otherwise among those of its session: some models give the first call of every message the same id. */
  readonly turnId?: string | undefined;
  /** True if the host sees the whole turn and an earlier call in it has the same id. The call is denied, even if the earlier one is over. */
  readonly repeatedId?: boolean | undefined;
  /** Tools that are declared for this call only. They can be decided on and released, not run. A tool that the runner has already stays as it is. */
  readonly tools?: readonly ToolDeclaration[] | undefined;
}
