import type { JsonObject, ToolContent } from "@toolstile/core";
import type { CallerSignal } from "@toolstile/core/provider";
import { failed } from "./cannot-judge.js";
import { settingsOf } from "./guard-answer.js";
import { judgement } from "./judgement.js";
import type { OutputParser } from "./parsers.js";
import { compilePrompt, type WrittenPrompt } from "./prompt.js";
import type { RailPorts, RailVerdict } from "./rail.js";
import type { TemplateVariables } from "./template.js";
import { ruled } from "./verdicts.js";

/** A call, or a call with the result that answers it. */
export interface ToolMatter {
  readonly toolName: string;
  /** Absent of a result whose call is not known. */
  readonly args: JsonObject | undefined;
  /** Absent of a call. */
  readonly content?: ToolContent | undefined;
}

/**
 * Asks a model about a tool's call, or about its result. Whatever the model does, there is a verdict: one that cannot be
 * read blocks. @throws the reason of the caller's abort.
 */
export type ToolJudge = (
  matter: ToolMatter,
  ports: RailPorts,
  signal: CallerSignal | undefined,
) => Promise<RailVerdict>;

/** The question of a judge of tools. */
export interface ToolQuestion {
  /** The judge in reasons: the flow as written, or the name of a provider. */
  readonly name: string;
  readonly model: string;
  /** Its templates may read `tool_name`, `tool_call_arguments` (JSON) and, of a result, `tool_result_content` (text, or the JSON of a list of parts). */
  readonly prompt: WrittenPrompt;
  readonly parse: OutputParser;
  readonly of: "call" | "result";
  /** Variables whose values are known already. */
  readonly constants?: TemplateVariables | undefined;
}

/** As certain as models go that refuse a zero. */
const temperature = 0.001;

/** @throws ToolstileError `ERR_CONFIG` for a template that cannot be read. */
export function toolJudge({
  name,
  model,
  prompt: written,
  parse,
  of,
  constants,
}: ToolQuestion): ToolJudge {
  const ofResult = of === "result" ? ["tool_result_content"] : [];
  const prompt = compilePrompt(
    written,
    ["tool_name", "tool_call_arguments", ...ofResult],
    constants,
  );
  return async ({ toolName, args, content }, ports, signal) => {
    try {
      const messages = prompt.render({
        tool_name: toolName,
        tool_call_arguments: args === undefined ? "" : JSON.stringify(args),
        ...(of === "result" ? { tool_result_content: asText(content) } : {}),
      });
      const body = { messages, ...settingsOf(prompt, temperature) };
      const found = await judgement(ports, { rail: name, model, body, parse }, signal);
      return ruled(found, `${name}: the ${of} is to be blocked`);
    } catch (error) {
      signal?.throwIfAborted();
      return failed({ flow: name }, error);
    }
  };
}

function asText(content: ToolContent | undefined): string {
  if (content === undefined) return "";
  return typeof content === "string" ? content : JSON.stringify(content);
}
