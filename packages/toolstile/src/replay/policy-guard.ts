import type { InspectedGuardFile } from "@toolstile/config";
import type { CallContext, ToolDefinition, ToolObserver } from "@toolstile/core";
import type { OpenedCall } from "@toolstile/core/host";
import { PolicyRunner } from "../policy/policy-runner.js";
import type { RequestedCall } from "../traffic/requested-calls.js";
import type { CallGuard, CheckedCall, Hear } from "./conversation-guard.js";

/** The policy that recorded calls are put before. */
export interface ReplayedPolicy {
  readonly path: string;
  readonly file: InspectedGuardFile;
  readonly unchecked: boolean;
  /** The agent of all calls, which recordings do not name. */
  readonly agentName: string | undefined;
}

export interface PolicyGuardOptions {
  readonly policy: ReplayedPolicy;
  readonly tools: readonly ToolDefinition[];
  readonly observers: readonly ToolObserver[];
  /** Told of an observer that could not write its record. */
  readonly onUnrecorded: (error: unknown) => void;
}

/** The guards of a guard.yaml before the tools that a conversation declares. */
export class PolicyGuard implements CallGuard {
  readonly #runner: PolicyRunner;
  readonly #agentName: string | undefined;

  constructor({ policy, tools, observers, onUnrecorded }: PolicyGuardOptions) {
    const { file, unchecked, agentName } = policy;
    this.#runner = new PolicyRunner({
      file,
      tools,
      unchecked,
      observers,
      onFault: ({ source, error }) => {
        if (observers.some(({ name }) => name === source)) onUnrecorded(error);
      },
    });
    this.#agentName = agentName;
  }

  /** Asks about a call, and tells of the verdict once the call has ended: results are judged too. */
  async open(call: RequestedCall, context: CallContext, hear: Hear): Promise<CheckedCall> {
    const answer = await this.#runner.open(
      // The runner refuses a call without a name.
      { name: call.name as string, arguments: call.arguments, callId: call.id },
      { context, agentName: this.#agentName },
    );
    const tool = call.name ?? "";
    if (answer.outcome !== undefined) {
      hear({ tool, rulings: this.#runner.rulingsOf(answer.outcome) });
      return { faults: [], opened: undefined };
    }
    const { opened } = answer;
    const close: OpenedCall["close"] = async (end) => {
      const outcome = await opened.close(end);
      hear({ tool, rulings: this.#runner.rulingsOf(outcome) });
      return outcome;
    };
    return { faults: [], opened: { ...opened, close } };
  }
}
