import { declaredTools } from "@toolstile/allowlist";
import {
  allowAll,
  type GuardrailProvider,
  type JsonObject,
  type OpenedCall,
  type RunOptions,
  type ToolDeclaration,
  ToolRunner,
  type ToolRunnerOptions,
} from "@toolstile/core";
import { schemaValidation } from "@toolstile/schema";
import { aborted } from "../aborted.js";
import type { AskedCall } from "../chat/message.js";
import type { Violation } from "../violation.js";
import { callViolation, invalidToolset, ownGuards } from "./call-violation.js";
import { askedOnly } from "./mounted.js";
import { noArguments } from "./no-arguments.js";
import type { Toolset } from "./toolset.js";

/** Which of the guards on calls are asked for one request. */
export interface ActiveCallGuards {
  /** The flow `tool call validation`. */
  readonly flow: boolean;
  /** Names of mounted providers. */
  readonly providers: readonly string[];
}

/** A call that may leave. */
export interface DecidedCall {
  /** The model's, or one made for it where it gave none. */
  readonly id: string | undefined;
  readonly asked: AskedCall;
  /** What was decided on; absent where no guard was asked. */
  readonly args: JsonObject | undefined;
  /** Whether a guard changed the arguments. */
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
  /** They were not, and give back what they took. */
  readonly drop: () => Promise<void>;
}

/** A call that is open, and what a violation would say of it. */
interface Opened {
  readonly call: OpenedCall;
  readonly asked: AskedCall;
  readonly index: number;
  readonly name: string;
}

const mostRunners = 64;

/** The guards between what a model asks for and the application: the flow `tool call validation`, then mounted providers. */
export class CallRail {
  readonly #providers: readonly GuardrailProvider[];
  readonly #flowGuards: readonly GuardrailProvider[];
  readonly #options: Omit<ToolRunnerOptions, "guardrails">;
  /** One for each set of guards that requests have asked for. */
  readonly #runners = new Map<string, ToolRunner>();
  readonly #all: ToolRunner;
  readonly #asking: ToolRunner;

  constructor(
    providers: readonly GuardrailProvider[],
    options: Omit<ToolRunnerOptions, "guardrails">,
  ) {
    this.#providers = providers;
    this.#options = { ...options, unchecked: true };
    this.#flowGuards = [
      declaredTools({ name: ownGuards.declared }),
      // First, as the schema of a tool that takes nothing lets everything in.
      noArguments(ownGuards.noArguments),
      schemaValidation({ name: ownGuards.schema, resultSchema: false }),
    ];
    const all = [...this.#flowGuards, ...providers];
    this.#all = new ToolRunner({ ...this.#options, guardrails: all });
    this.#asking = this.#runnerThatAsks(all);
  }

  /** Decide on the calls of one answer. Until they are released or dropped, their ids are taken. */
  async open(
    calls: readonly AskedCall[],
    toolset: Toolset,
    active: ActiveCallGuards,
    options: RunOptions,
  ): Promise<DecidedCalls> {
    return this.#decide(calls, toolset, active, options, this.#runner(active, true));
  }

  /** Ask about calls, and take nothing for it. */
  async ask(
    calls: readonly AskedCall[],
    toolset: Toolset,
    active: ActiveCallGuards,
    options: RunOptions,
  ): Promise<DecidedCalls> {
    const decided = await this.#decide(
      calls,
      toolset,
      active,
      options,
      this.#runner(active, false),
    );
    await decided.drop();
    return decided;
  }

  async #decide(
    calls: readonly AskedCall[],
    toolset: Toolset,
    active: ActiveCallGuards,
    options: RunOptions,
    runner: ToolRunner,
  ): Promise<DecidedCalls> {
    if (active.flow && toolset.fault !== undefined) return refused([invalidToolset(toolset.fault)]);
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
    for (const [index, asked] of calls.entries()) {
      const name = asked.name ?? (asked.type === "function" ? "" : asked.type);
      const tools = declarationsFor(asked, name, toolset, active);
      const request = { name, arguments: asked.arguments, callId: asked.id };
      const result = await runner.open(request, { turnId, context, agentName, signal, tools });
      if (result.outcome !== undefined) {
        violations.push(callViolation(result.outcome, index, asked, name));
        continue;
      }
      opened.push({ call: result, asked, index, name });
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

  #runner(active: ActiveCallGuards, admits: boolean): ToolRunner {
    const providers = this.#providers.filter(({ name }) => active.providers.includes(name));
    if (active.flow && providers.length === this.#providers.length) {
      return admits ? this.#all : this.#asking;
    }
    const key = JSON.stringify([admits, active.flow, providers.map(({ name }) => name)]);
    const known = this.#runners.get(key);
    if (known !== undefined) return known;
    const chosen = [...(active.flow ? this.#flowGuards : []), ...providers];
    // Where nobody is to be asked, calls are still read, recorded and told apart.
    const guards = chosen.length === 0 ? [allowAll()] : chosen;
    const runner = admits
      ? new ToolRunner({ ...this.#options, guardrails: guards })
      : this.#runnerThatAsks(guards);
    // A request may choose among providers: what is seldom chosen is made anew.
    if (this.#runners.size >= mostRunners) this.#runners.clear();
    this.#runners.set(key, runner);
    return runner;
  }

  /** Of what it does nobody is told, as nothing comes of it. */
  #runnerThatAsks(guards: readonly GuardrailProvider[]): ToolRunner {
    const { observers: _, ...unobserved } = this.#options;
    return new ToolRunner({ ...unobserved, guardrails: guards.map(askedOnly) });
  }

  get hasGuards(): boolean {
    return this.#providers.length > 0;
  }

  close(): Promise<void> {
    return this.#all.close();
  }
}

/**
 * The tool that a call means. A function's call must mean a function, and one
 * without a name a hosted tool: one key cannot stand for the other.
 */
function declarationsFor(
  { name: functionName, type }: AskedCall,
  name: string,
  { tools }: Toolset,
  { flow }: ActiveCallGuards,
): readonly ToolDeclaration[] {
  const tool = tools.get(name);
  // A custom tool's call carries free text, and no declaration of such a tool is read.
  const means = functionName === undefined ? tool?.hosted === true : tool?.hosted === false;
  const isOfKind = functionName === undefined ? type !== "custom" : type === "function";
  if (tool !== undefined && means && isOfKind) return [tool.declaration];
  // Whether a tool was declared is asked by the flow; without it, mounted providers alone decide.
  return flow || name === "" ? [] : [{ name }];
}

function refused(violations: readonly Violation[]): DecidedCalls {
  const drop = async (): Promise<void> => {};
  return { calls: [], violations, modifiedBy: undefined, release: async () => violations, drop };
}
