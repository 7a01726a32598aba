import { quoted } from "@toolstile/core/provider";
import type { Flow } from "./model.js";

/** The families of rails by the names that configurations and options use. */
export const flowFamilies = ["input", "output", "tool_call", "tool_result"] as const;
export type FlowFamily = (typeof flowFamilies)[number];
export type ToolFamily = "tool_call" | "tool_result";

/** The ways in which a rail of one tool judges. */
export type PerToolCheck = "regex" | "cel" | "safety";

/** A flow that this engine runs. */
export interface KnownFlow {
  readonly name: string;
  readonly family: FlowFamily;
  /** The check of a flow that belongs under `per_tool` of its section. */
  readonly perTool: PerToolCheck | undefined;
  /** The parameters that it takes, as `$name=value`; true for one that it needs. */
  readonly parameters: Readonly<Record<string, boolean>>;
  /** The task of its prompt, where it asks a model. */
  readonly task: string | undefined;
  /** The type of the only model that it asks, where it takes no `$model=`. */
  readonly model: string | undefined;
}

type Row = readonly [
  family: FlowFamily,
  name: string,
  task?: string | undefined,
  parameters?: Readonly<Record<string, boolean>>,
  model?: string,
];

const ofModel = { model: true };
const selfCheck = { model: false };
const selfCheckOfText = { model: false, variant: false };
const ofClassifier = { classifier: true };

const rows: readonly Row[] = [
  ["input", "content safety check input", "content_safety_check_input", ofModel],
  ["input", "topic safety check input", "topic_safety_check_input", ofModel],
  ["input", "jailbreak detection model"],
  ["input", "self check input", "self_check_input", selfCheckOfText],
  ["input", "llama guard check input", "llama_guard_check_input", {}, "llama_guard"],
  ["input", "regex check input"],
  ["input", "context bloat detection on input"],
  ["input", "language detector check input"],
  ["input", "hf classifier check input", undefined, ofClassifier],
  ["input", "http classifier check input", undefined, ofClassifier],
  ["input", "gliner detect pii on input"],
  ["input", "gliner mask pii on input"],
  ["input", "detect sensitive data on input"],
  ["input", "mask sensitive data on input"],
  ["output", "content safety check output", "content_safety_check_output", ofModel],
  ["output", "self check output", "self_check_output", selfCheckOfText],
  ["output", "self check facts", "self_check_facts", selfCheck],
  ["output", "self check hallucination", "self_check_hallucination", selfCheck],
  ["output", "hallucination warning", "self_check_hallucination", selfCheck],
  ["output", "llama guard check output", "llama_guard_check_output", {}, "llama_guard"],
  ["output", "regex check output"],
  ["output", "injection detection"],
  ["output", "hf classifier check output", undefined, ofClassifier],
  ["output", "http classifier check output", undefined, ofClassifier],
  ["output", "gliner detect pii on output"],
  ["output", "gliner mask pii on output"],
  ["output", "detect sensitive data on output"],
  ["output", "mask sensitive data on output"],
  ["tool_call", "tool call validation"],
  ["tool_result", "tool result validation"],
];

const ofArgument = { argument: false };
const toolSafety = { model: true, variant: true };
const safetyTasks = {
  tool_call: "tool_safety_check_output",
  tool_result: "tool_safety_check_input",
} as const;

/** NeMo's releases spell the flows of tools in several ways. Of each, the first is what messages propose. */
const perToolRows: readonly (readonly [PerToolCheck, ToolFamily, string])[] = [
  ["regex", "tool_call", "regex check tool call"],
  ["regex", "tool_call", "regex check tool output"],
  ["regex", "tool_result", "regex check tool result"],
  ["regex", "tool_result", "regex check tool input"],
  ["cel", "tool_call", "cel check tool call"],
  ["cel", "tool_call", "cel check tool output"],
  ["cel", "tool_result", "cel check tool result"],
  ["cel", "tool_result", "cel check tool input"],
  ["safety", "tool_call", "tool safety check call"],
  ["safety", "tool_call", "tool safety check tool call"],
  ["safety", "tool_call", "tool safety check output"],
  ["safety", "tool_result", "tool safety check result"],
  ["safety", "tool_result", "tool safety check tool result"],
  ["safety", "tool_result", "tool safety check input"],
];

/** The flows that this engine runs, by normalised name. */
export const knownFlows: ReadonlyMap<string, KnownFlow> = new Map(
  [...rows.map(flowOfSection), ...perToolRows.map(flowOfTool)].map((flow) => [flow.name, flow]),
);

function flowOfSection([family, name, task, parameters = {}, model]: Row): KnownFlow {
  return Object.freeze({ name, family, perTool: undefined, parameters, task, model });
}

function flowOfTool([perTool, family, name]: (typeof perToolRows)[number]): KnownFlow {
  const takesArgument = family === "tool_call" && perTool !== "cel";
  const parameters = {
    ...(perTool === "safety" ? toolSafety : {}),
    ...(takesArgument ? ofArgument : {}),
  };
  const task = perTool === "safety" ? name.replaceAll(" ", "_") : undefined;
  return Object.freeze({ name, family, perTool, parameters, task, model: undefined });
}
/** The flows that may put another text in place of an answer before it is read. A warning comes after it. */
export const rewritingOutputFlows: ReadonlySet<string> = new Set([
  "injection detection",
  "gliner mask pii on output",
  "mask sensitive data on output",
]);

/** The tasks under which the prompt of a flow may stand, the best first. */
export function tasksOf({ name, parameters }: Flow): readonly string[] {
  const known = knownFlows.get(name);
  if (known?.task === undefined) return [];
  const { task } = known;
  const own = (key: string): string => ` $${key}=${parameters[key] ?? ""}`;
  const needed = ["model", "variant"].filter((key) => known.parameters[key] === true);
  const usual = known.perTool === undefined ? task : safetyTasks[known.family as ToolFamily];
  if (needed.length > 0) {
    return [...new Set([task, usual])].map((each) => each + needed.map(own).join(""));
  }
  const { model, variant } = parameters;
  // A prompt under the bare name of its variant is NeMo's older form.
  if (variant !== undefined) return [task + own("variant"), variant];
  return model === undefined ? [task] : [task + own("model"), task];
}

/** The types of the models that a flow can be put to, the first that there is. */
export function modelTypesOf({ name, parameters }: Flow): readonly string[] {
  const known = knownFlows.get(name);
  if (known?.task === undefined) return [];
  if (known.model !== undefined) return [known.model];
  const { model, variant } = parameters;
  if (model !== undefined) return [model];
  if (known.parameters["model"] === true) return [];
  return [...(variant === undefined ? [] : [variant]), known.task, "main"];
}

/** The name of a flow as it is compared: trimmed, up to `(`, or else up to `$`. */
export function flowName(text: string): string {
  const bracket = text.indexOf("(");
  const cut = bracket >= 0 ? bracket : text.indexOf("$");
  return (cut >= 0 ? text.slice(0, cut) : text).trim();
}

export function readFlow(text: string): Flow {
  const name = flowName(text);
  const rest = text.trim().slice(name.length);
  const parameters: Record<string, string> = Object.create(null);
  let fault = /\p{Cc}/u.test(text) ? "has a control character" : undefined;
  let from = 0;
  // A value stands in quotes, or goes to the next blank.
  for (const match of rest.matchAll(/\s+\$(\w+)=(?:'([^']+)'|"([^"]+)"|([^\s'"$]+))(?!\S)/gy)) {
    const [whole, key = "", single, double, bare] = match;
    if (Object.hasOwn(parameters, key)) fault ??= `has ${quoted(`$${key}`)} twice`;
    parameters[key] = single ?? double ?? bare ?? "";
    from += whole.length;
  }
  if (rest.slice(from).trim() !== "") {
    fault ??= "has more than a name and parameters: each is a blank and then $name=value";
  }
  return { text, name, parameters, fault };
}

/** The names of the flows that a Colang file defines; all that is read of one. */
export function definedFlows(colang: string): readonly string[] {
  const names: string[] = [];
  for (const line of colang.split("\n")) {
    const words = line.trim().split(/\s+/);
    if (words[0] === "define") words.shift();
    if (words[0] === "extension") words.shift();
    if (words[0] === "flow" || words[0] === "subflow")
      names.push(flowName(words.slice(1).join(" ")));
  }
  return names;
}
