import type { BaseMessage } from "@langchain/core/messages";
import { ToolstileError } from "@toolstile/core";
import { type CheckRequest, type CheckResult, Guardrails, RailsConfig } from "@toolstile/iorails";
import { chatMessages } from "./chat-messages.js";
import { argumentsOf, type GuardableTool } from "./declaration.js";

/** What judges: a `Guardrails`, or any engine of its kind. */
export interface RailsChecker {
  readonly check: (request: CheckRequest) => Promise<CheckResult>;
}

/** Of NeMo's families of rails, those that are asked. */
export type RailFamily = "input" | "output" | "tool_input" | "tool_output";

/** Where the rails come from: an engine, or else a folder, or else text. */
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
  readonly #source: RailsChecker | string;
  #loading: Promise<RailsChecker> | undefined;

  /** @throws ToolstileError `ERR_INVALID_OPTION` where there is no source; `ERR_CONFIG` for text that is wrong. */
  constructor({ rails, configPath, configYaml }: RailsSource) {
    const source =
      rails ??
      configPath ??
      (configYaml && new Guardrails(RailsConfig.fromContent({ yaml: configYaml })));
    const isChecker = typeof (Object(source) as Partial<RailsChecker>).check === "function";
    if (!isChecker && (typeof source !== "string" || source === "")) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "The rails come from 'rails', which has a check() function, or from 'configPath' or 'configYaml', which are text.",
      );
    }
    this.#source = source as RailsChecker | string;
  }

  /** @throws ToolstileError for a configuration that is wrong. */
  load(): Promise<RailsChecker> {
    const source = this.#source;
    this.#loading ??=
      typeof source === "string"
        ? RailsConfig.fromPath(source).then((config) => new Guardrails(config))
        : Promise.resolve(source);
    return this.#loading;
  }

  /** Ask the rails of one family about a conversation; of the tools, all that the model was offered are declared. */
  async check(
    family: RailFamily,
    { messages, tools, facts }: CheckedTurn,
    last?: CheckRequest["messages"][number],
  ): Promise<CheckResult> {
    const rails = await this.load();
    const conversation =
      last === undefined ? chatMessages(messages) : [...chatMessages(messages), last];
    const result = await rails.check({
      messages: conversation,
      // Declared, though there are none: else nobody would judge the calls.
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
