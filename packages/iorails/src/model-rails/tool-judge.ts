import type { JsonObject, ToolContent } from "@toolstile/core";
import type { CallerSignal } from "@toolstile/core/provider";
import type { Flow, PromptConfig, RailsConfigData } from "../config/model.js";
import { failed } from "./cannot-judge.js";
import { settingsOf } from "./guard-answer.js";
import { judgement } from "./judgement.js";
import type { OutputParser } from "./parsers.js";
import { compilePrompt, constantsOf } from "./prompt.js";
import type { RailPorts, RailVerdict } from "./rail.js";
import { modelOf, parserOf, promptOf } from "./rail-parts.js";
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

/** A model that is asked about a tool's calls, or about its results. */
export interface ToolJudge {
  /** Whatever the model does, there is a verdict: one that cannot be read blocks. @throws the reason of the caller's abort. */
  readonly judge: (
    matter: ToolMatter,
    ports: RailPorts,
    signal: CallerSignal | undefined,
  ) => Promise<RailVerdict>;
}

/** The question of a judge of tools. */
export interface ToolQuestion {
  /** The judge in reasons: the flow as written, or the name of a provider. */
  readonly name: string;
  readonly model: string;
  /** Its templates may read `tool_name`, `tool_call_arguments` (JSON) and, of a result, `tool_result_content` (text, or the JSON of a list of parts). */
  readonly prompt: PromptConfig;
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
  return {
    judge: async ({ toolName, args, content }, ports, signal) => {
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
    },
  };
}

/** `tool safety check …`, of calls or of results. @throws ToolstileError `ERR_CONFIG` for a prompt, parser or model that is not there. */
export function toolSafety(flow: Flow, data: RailsConfigData, of: "call" | "result"): ToolJudge {
  const prompt = promptOf(flow, data);
  const parse = parserOf(flow, prompt, "is_content_safe");
  const constants = constantsOf(data);
  return toolJudge({ name: flow.text, model: modelOf(flow, data), prompt, parse, of, constants });
}

function asText(content: ToolContent | undefined): string {
  if (content === undefined) return "";
  return typeof content === "string" ? content : JSON.stringify(content);
}
