import type { JsonObject, RunOptions, ToolRunner } from "@toolstile/core";
import type { OpenedCall, ToolDeclaration } from "@toolstile/core/host";
import { ownValue } from "@toolstile/core/provider";
import { aborted } from "../aborted.js";
import type { AskedCall } from "../chat/message.js";
import type { ToolToggles } from "../config/toggles.js";
import type { Violation } from "../violation.js";
import type { CallRunners } from "./call-runners.js";
import { callViolation, invalidToolset, notText } from "./call-violation.js";
import { textArguments, toolKey } from "./declared-tool.js";
import type { JudgeTool, PerToolGuard } from "./per-tool-guard.js";
import type { Toolset } from "./toolset.js";

/** A call that may leave. */
export interface DecidedCall {
  /** The model's, or one made for it where it gave none. */
  readonly id: string | undefined;
  readonly asked: AskedCall;
  /** The arguments that were decided on; absent if no guard was asked. */
  readonly args: JsonObject | undefined;
  /** True if a guard changed the arguments. */
  readonly modified: boolean;
}

/** The calls of one answer, decided on and not yet handed out. */
export interface DecidedCalls {
  readonly calls: readonly DecidedCall[];
  /** Empty: all of them may leave. Else none may. */
  readonly violations: readonly Violation[];
  /** The guard that last changed arguments. */
  readonly modifiedBy: string | undefined;
  /**
   * They are about to be handed out. Whatever it gives forbids that: a call that
   * an observer has to record, and could not, does not leave, nor do those beside it.
   */
  readonly release: () => Promise<readonly Violation[]>;
  /** They give back what they took, unless they were handed out. */
  readonly drop: () => Promise<void>;
}

/** A call that is open, and what a violation would say of it. */
interface Opened {
  readonly call: OpenedCall;
  readonly asked: AskedCall;
  readonly index: number;
  readonly name: string;
}

/**
 * The guards between what a model asks for and the application: the flow
 * `tool call validation`, then the rails of the called tool, then mounted providers.
 *
 * The rails of a tool are asked of a call that the flow's guards have passed,
 * also where the flow is off: a judge of arguments may rely on the schema.
 */
export function callRail(ofTools: PerToolGuard, runners: CallRunners) {
  /** Begins to load the guards of the flow. A failure is reported by the first call, which needs them. */
  function prepare(): void {
    runners.flowGuards().catch(() => {});
  }

  /**
   * Decides on the calls of one answer. Until they are released or dropped, their ids are taken.
   *
   * @param asking the guards are only asked, and nothing is taken.
   */
  async function decide(
    calls: readonly AskedCall[],
    toolset: Toolset,
    active: ToolToggles,
    options: RunOptions,
    ask: JudgeTool,
    asking: boolean,
  ): Promise<DecidedCalls> {
    const decideBy = async (guards: ToolToggles, admits = !asking): Promise<DecidedCalls> =>
      decidedBy(calls, toolset, guards, options, await runners.of(guards, admits));
    const hasRails = calls.some((call) => ofTools.of(nameOf(call), active.perTool).length > 0);
    const decided = await (hasRails
      ? ofTools.during(ask, () => inSteps(calls, active, decideBy))
      : decideBy({ ...active, perTool: [] }));
    if (asking) await decided.drop();
    return decided;
  }

  async function decidedBy(
    calls: readonly AskedCall[],
    toolset: Toolset,
    active: ToolToggles,
    options: RunOptions,
    runner: ToolRunner,
  ): Promise<DecidedCalls> {
    if ((active.flow || active.perTool.length > 0) && toolset.fault !== undefined)
      return undecided([invalidToolset(toolset.fault)]);
    const opened: Opened[] = [];
    const decided: DecidedCall[] = [];
    const violations: Violation[] = [];
    let modifiedBy: string | undefined;
    const drop = async (): Promise<void> => {
      for (const { call } of opened.splice(0)) await call.close({ unused: true });
    };
    const release = async (): Promise<readonly Violation[]> => {
      for (let next = opened.shift(); next !== undefined; next = opened.shift()) {
        const { call, asked, index, name } = next;
        const outcome = await call.close({ released: true });
        if (outcome.status === "released") continue;
        await drop();
        return [callViolation(outcome, index, asked, name)];
      }
      return [];
    };
    const { turnId, context, agentName, signal } = options;
    // Core remembers a declared tool by its frozen definition, which many calls of an answer may share.
    const lists = new Map<string, readonly ToolDeclaration[]>();
    const openOne = (asked: AskedCall) => {
      const name = nameOf(asked);
      const key = JSON.stringify([asked.name === undefined, asked.type, name]);
      const tools = lists.get(key) ?? declarationsFor(asked, name, toolset, active);
      lists.set(key, tools);
      const given = asked.type === "custom" ? textArguments(asked.arguments) : asked.arguments;
      const request = { name, arguments: given, callId: asked.id };
      return runner.open(request, { turnId, context, agentName, signal, tools });
    };
    const together = ofTools.parallel && active.perTool.length > 0;
    const results = together ? await Promise.all(calls.map(openOne)) : undefined;
    for (const [index, asked] of calls.entries()) {
      const name = nameOf(asked);
      const result = results?.[index] ?? (await openOne(asked));
      if (result.outcome !== undefined) {
        violations.push(callViolation(result.outcome, index, asked, name));
        continue;
      }
      opened.push({ call: result, asked, index, name });
      if (asked.type === "custom" && typeof ownValue(result.call.args, "input") !== "string") {
        violations.push(notText(index, asked, name));
        continue;
      }
      modifiedBy = result.modifiedBy.at(-1) ?? modifiedBy;
      const { call } = result;
      decided.push({
        id: call.callId,
        asked,
        args: call.args,
        modified: result.modifiedBy.length > 0,
      });
    }
    if (signal?.aborted === true) {
      await drop();
      throw aborted(signal);
    }
    return { calls: decided, violations, modifiedBy, release, drop };
  }

  /**
   * The tool that a call means. A function's call must mean a function, a custom
   * tool's a custom tool, and one without a name a hosted tool: one cannot stand
   * for the other.
   */
  function declarationsFor(
    { name: functionName, type }: AskedCall,
    name: string,
    { tools }: Toolset,
    { flow, perTool }: ToolToggles,
  ): readonly ToolDeclaration[] {
    const isKind = type === "function" || type === "custom";
    const kind = functionName === undefined ? "hosted" : isKind ? type : undefined;
    const tool = kind === undefined ? undefined : tools.get(toolKey(kind, name));
    if (tool !== undefined) return [tool.declaration];
    // Whether a tool was declared is asked by the flow's guards; without them, mounted providers alone decide.
    const mustBeDeclared = flow || ofTools.of(name, perTool).length > 0;
    return mustBeDeclared || name === "" ? [] : [Object.freeze({ name })];
  }

  const hasGuards = runners.hasProviders || ofTools.names.length > 0;
  return { prepare, decide, hasGuards, close: runners.close };
}

/** The flow is asked of all calls before the rail of any tool is: such a rail may cost a model's answer. */
async function inSteps(
  calls: readonly AskedCall[],
  active: ToolToggles,
  decide: (guards: ToolToggles, admits?: boolean) => Promise<DecidedCalls>,
): Promise<DecidedCalls> {
  if (!active.flow || calls.length === 1) return decide(active);
  const structure = await decide({ flow: true, providers: [], perTool: [] }, false);
  await structure.drop();
  return decide(structure.violations.length > 0 ? { ...active, perTool: [] } : active);
}

function nameOf({ name, type }: AskedCall): string {
  return name ?? (type === "function" ? "" : type);
}

/** No calls, and what stands in the way, if anything does. */
export function undecided(violations: readonly Violation[]): DecidedCalls {
  const drop = async (): Promise<void> => {};
  return { calls: [], violations, modifiedBy: undefined, release: async () => violations, drop };
}
