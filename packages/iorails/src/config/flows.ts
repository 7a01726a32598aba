import type { Flow } from "./model.js";

/** The families of rails by the names that configurations and options use. */
export const flowFamilies = ["input", "output", "tool_output", "tool_input"] as const;
export type FlowFamily = (typeof flowFamilies)[number];

/** What this engine knows of a flow that it runs. */
export interface KnownFlow {
  readonly name: string;
  readonly family: FlowFamily;
  /** Must name a model by `$model=`. */
  readonly needsModel: boolean;
  /** The task of its prompt, where it asks a model; followed by ` $model=…` if it needs one. */
  readonly task: string | undefined;
}

const all: readonly KnownFlow[] = [
  {
    name: "content safety check input",
    family: "input",
    needsModel: true,
    task: "content_safety_check_input",
  },
  {
    name: "topic safety check input",
    family: "input",
    needsModel: true,
    task: "topic_safety_check_input",
  },
  { name: "jailbreak detection model", family: "input", needsModel: false, task: undefined },
  { name: "self check input", family: "input", needsModel: false, task: "self_check_input" },
  {
    name: "content safety check output",
    family: "output",
    needsModel: true,
    task: "content_safety_check_output",
  },
  { name: "self check output", family: "output", needsModel: false, task: "self_check_output" },
  { name: "self check facts", family: "output", needsModel: false, task: "self_check_facts" },
  {
    name: "self check hallucination",
    family: "output",
    needsModel: false,
    task: "self_check_hallucination",
  },
  {
    name: "hallucination warning",
    family: "output",
    needsModel: false,
    task: "self_check_hallucination",
  },
  { name: "tool call validation", family: "tool_output", needsModel: false, task: undefined },
  { name: "tool result validation", family: "tool_input", needsModel: false, task: undefined },
];

/** The flows that this engine runs, by normalised name. */
export const knownFlows: ReadonlyMap<string, KnownFlow> = new Map(
  all.map((flow) => [flow.name, Object.freeze(flow)]),
);

/** The name of a flow as it is compared: trimmed, up to `(`, or else up to `$`. */
export function flowName(text: string): string {
  const bracket = text.indexOf("(");
  const cut = bracket >= 0 ? bracket : text.indexOf("$");
  return (cut >= 0 ? text.slice(0, cut) : text).trim();
}

export function readFlow(text: string): Flow {
  const marker = "$model=";
  const at = text.lastIndexOf(marker);
  const model = at < 0 ? "" : text.slice(at + marker.length).trim();
  return { text, name: flowName(text), model: model === "" ? undefined : model };
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
