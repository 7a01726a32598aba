import {
  allow,
  type CallRecord,
  deny,
  type Guardrail,
  type GuardrailProvider,
  type JsonObject,
  type ToolObserver,
} from "@toolstile/core";
import { schemaValidation } from "@toolstile/schema";
import { isGenerator } from "./playing.js";
import type { AskedCall, ParityTool, Report, Seam, Turn } from "./seam.js";

/** One run of a tool, and its arguments. */
export interface Ran {
  readonly name: string;
  readonly args: JsonObject;
}

const text = { type: "string" };

/** A turn to be played, and what was seen of it on this side of the seam. */
export class Scene {
  readonly ran: Ran[] = [];
  readonly records: CallRecord[] = [];
  /** The questions to guards: the guard's name, the tool and the arguments. */
  readonly asked: { readonly guard: string; readonly tool: string; readonly args: JsonObject }[] =
    [];
  #calls: readonly AskedCall[] | undefined;
  readonly #answers = new Map<string, ParityTool["execute"]>();

  /** Let a tool answer otherwise than with "NAME: done". */
  answer(name: string, execute: ParityTool["execute"]): this {
    this.#answers.set(name, execute);
    return this;
  }

  /** Play a turn through a seam. Without guardrails, every call that fits its schema is allowed. */
  play(
    seam: Seam,
    turn: Partial<Turn> & { readonly calls: readonly AskedCall[] },
  ): Promise<Report> {
    const guardrails = [schemaValidation(), ...(turn.guardrails ?? [this.allowing("allowing")])];
    if (seam.mintsIds === true) this.#calls = turn.calls;
    return seam.play({ tools: this.#tools, observers: [this.observer], ...turn, guardrails });
  }

  /** Play calls of tools that declare nothing about their arguments, with these guards and no others. */
  playUnchecked(seam: Seam, turn: Pick<Turn, "calls" | "guardrails">): Promise<Report> {
    const parameters = { type: "object" };
    const tools = this.#tools.map((tool) => ({ ...tool, parameters }));
    if (seam.mintsIds === true) this.#calls = turn.calls;
    return seam.play({ tools, observers: [this.observer], ...turn });
  }

  get observer(): ToolObserver {
    return { name: "records", settle: (record) => void this.records.push(record) };
  }

  /** A guard that allows, and remembers what it was asked. */
  allowing(name: string): GuardrailProvider {
    return this.guard(name, () => allow());
  }

  /** A guard that says this, and remembers what it was asked. */
  guard(name: string, evaluate: GuardrailProvider["evaluate"]): GuardrailProvider {
    return {
      name,
      evaluate: (call) => {
        this.asked.push({ guard: name, tool: call.toolName, args: call.args });
        return evaluate(call);
      },
    };
  }

  /** Names of the tools that ran, sorted. */
  get ranNames(): readonly string[] {
    return this.ran.map(({ name }) => name).sort();
  }

  /** The ending of each call by its id: the status or, where core decided, "status basis". */
  get endings(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.records.map((record) => {
        const { outcome } = record;
        const basis = outcome !== undefined && "basis" in outcome ? ` ${outcome.basis}` : "";
        return [this.#idOf(record), `${outcome?.status}${basis}`];
      }),
    );
  }

  /** The record of a call. */
  record(callId: string): CallRecord {
    const record = this.records.find((each) => this.#idOf(each) === callId);
    if (record === undefined) throw new Error(`no record of the call ${callId}`);
    return record;
  }

  /** The id that the model gave, where the seam was told none: by what was asked. */
  #idOf({ callId, requestedName, askedArgs }: CallRecord): string {
    if (this.#calls === undefined) return callId;
    const asked = askedArgs === undefined ? undefined : JSON.stringify(askedArgs);
    const call = this.#calls.find(
      ({ name, arguments: args }) =>
        name === requestedName && (asked === undefined || asked === args),
    );
    return call?.callId ?? callId;
  }

  get #tools(): readonly ParityTool[] {
    return [
      this.#tool("send_mail", { to: text, body: text }, ["to"]),
      this.#tool("delete_record", { id: text }, ["id"]),
      this.#tool("search", { query: text }, []),
    ];
  }

  #tool(name: string, properties: JsonObject, required: readonly string[]): ParityTool {
    const ran = (args: JsonObject): void => void this.ran.push({ name, args });
    const answer = this.#answers.get(name) ?? (() => `${name}: done`);
    return {
      name,
      description: `Does ${name}.`,
      parameters: { type: "object", properties, required, additionalProperties: false },
      execute: isGenerator(answer)
        ? async function* (args, signal) {
            ran(args);
            return yield* answer(args, signal) as AsyncGenerator<unknown>;
          }
        : (args, signal) => {
            ran(args);
            return answer(args, signal);
          },
    };
  }
}

/** A call as a model asks for it. */
export function asks(callId: string, name: string, args: JsonObject | string): AskedCall {
  return { callId, name, arguments: typeof args === "string" ? args : JSON.stringify(args) };
}

/** A guard that denies one tool. */
export function denying(tool: string, reason: string): Guardrail {
  return {
    name: `no-${tool}`,
    evaluate: ({ toolName }) => (toolName === tool ? deny(reason) : allow()),
  };
}
