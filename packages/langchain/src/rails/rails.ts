import type { BaseMessage } from "@langchain/core/messages";
import { ToolstileError } from "@toolstile/core";
import { type CheckRequest, type CheckResult, Guardrails, RailsConfig } from "@toolstile/iorails";
import { argumentsOf, type GuardableTool } from "../declaration.js";
import { chatMessages } from "./chat-messages.js";

/** An engine that judges: a `Guardrails`, or any with the same `check`. */
export interface RailsChecker {
  readonly check: (request: CheckRequest) => Promise<CheckResult>;
}

/** The families of NeMo's rails that are asked. */
export type RailFamily = "input" | "output" | "tool_input" | "tool_output";

/** The source of the rails: an engine, or else a folder, or else text. */
export interface RailsSource {
  readonly rails?: RailsChecker | undefined;
  /** A folder, or one YAML file. */
  readonly configPath?: string | undefined;
  readonly configYaml?: string | undefined;
}

/** The conversation, and what else a check is told. */
export interface CheckedTurn {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly unknown[];
  readonly facts: Pick<CheckRequest, "agentName" | "context" | "signal">;
}

/** The rails of a middleware, loaded when they are first asked. */
export class Rails {
  readonly #load: () => Promise<RailsChecker>;
  #loading: Promise<RailsChecker> | undefined;

  /** @throws ToolstileError `ERR_INVALID_OPTION` if there is no source. */
  constructor({ rails, configPath, configYaml }: RailsSource) {
    const source: unknown = rails ?? configPath ?? configYaml;
    const isChecker = typeof (Object(source) as Partial<RailsChecker>).check === "function";
    if (!isChecker && (typeof source !== "string" || source === "")) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "The options of rails must have 'rails', an object with a check() function, or 'configPath' or 'configYaml', a string.",
      );
    }
    this.#load = async () => {
      if (isChecker) return source as RailsChecker;
      const text = source as string;
      const config =
        configPath === undefined
          ? RailsConfig.fromContent({ yaml: text })
          : RailsConfig.fromPath(text);
      return new Guardrails(await config);
    };
  }

  /** @throws ToolstileError for a configuration that is wrong. */
  load(): Promise<RailsChecker> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** Ask the rails of one family about a conversation; of the tools, all that the model was offered are declared. */
  async check(
    family: RailFamily,
    { messages, tools, facts }: CheckedTurn,
    ...more: CheckRequest["messages"]
  ): Promise<CheckResult> {
    const rails = await this.load();
    const result = await rails.check({
      messages: [...chatMessages(messages), ...more],
      // An empty list is declared too: without one, no rail judges the calls.
      tools: tools.map(definitionOf),
      options: { rails: [family] },
      ...facts,
    });
    return requireResult(result);
  }
}

/** A tool, with what its calls may hold. One that the provider runs is told as it is. */
function definitionOf(tool: unknown): unknown {
  const { invoke, name, description, schema } = Object(tool) as Partial<GuardableTool>;
  if (typeof invoke !== "function") return tool;
  return { type: "function", function: { name, description, parameters: argumentsOf(schema) } };
}

/**
 * A verdict by its own members: nothing else lets anything through.
 *
 * @throws TypeError for what is none.
 */
function requireResult(given: unknown): CheckResult {
  const result: CheckResult = Object.assign(Object.create(null), given);
  const { status, messages, content } = result;
  const isVerdict = status === "passed" || status === "modified" || status === "blocked";
  if (isVerdict && Array.isArray(messages) && typeof content === "string") return result;
  throw new TypeError("The rails gave no verdict.");
}
