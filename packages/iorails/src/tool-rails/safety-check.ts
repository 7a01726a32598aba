import type { ToolContent } from "@toolstile/core";
import type { ToolFamily } from "../config/flows.js";
import type { Flow, RailsConfigData } from "../config/model.js";
import { constantsOf } from "../model-rails/prompt.js";
import { modelOf, parserOf, promptOf } from "../model-rails/rail-parts.js";
import { toolJudge } from "../model-rails/tool-judge.js";
import { judgedArguments } from "./judged-argument.js";
import type { PerToolRail } from "./per-tool-rail.js";

/**
 * `tool safety check call` and `tool safety check result`: a model judges the
 * call, or the result, with a prompt of the configuration.
 *
 * @throws ToolstileError `ERR_CONFIG` for a prompt, parser or model that is not there.
 */
export function safetyCheck(
  flow: Flow,
  family: ToolFamily,
  _tool: string,
  data: RailsConfigData,
): PerToolRail["judge"] {
  const of = family === "tool_call" ? "call" : "result";
  const prompt = promptOf(flow, data);
  const parse = parserOf(flow, prompt, "is_content_safe");
  const [model, constants] = [modelOf(flow, data), constantsOf(data)];
  const judge = toolJudge({ name: flow.text, model, prompt, parse, of, constants });
  return async (subject, ports) => {
    const { tool: toolName, signal } = subject;
    if (family === "tool_call") {
      return judge({ toolName, args: judgedArguments(flow, subject) }, ports, signal);
    }
    const content = (subject.content ?? undefined) as ToolContent | undefined;
    return judge({ toolName, args: subject.args, content }, ports, signal);
  };
}
