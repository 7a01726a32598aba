import type { Path } from "@toolstile/config/yaml";
import { didYouMean, nearest, own, quoted } from "@toolstile/core/provider";
import { type FlowList, placedFlows } from "./flow-lists.js";
import { type KnownFlow, knownFlows, rewritingOutputFlows, tasksOf } from "./flows.js";
import type { Flow, RailsConfigData } from "./model.js";
import { promptFor } from "./prompts.js";
import { nimBaseUrl } from "./sections/jailbreak-detection.js";
import type { Report } from "./shape.js";

/**
 * Find the flows that no engine would run as meant: misspelt, in the wrong
 * section, twice, or with a model that is not there.
 *
 * A flow that Colang files define, or in the sections for text one that is no
 * slip for one of ours, is the other engine's: not wrong here.
 */
export function checkFlowNames(
  lists: readonly FlowList[],
  defined: ReadonlySet<string>,
  modelTypes: ReadonlySet<string> | undefined,
  report: Report,
): void {
  for (const list of lists) {
    const seen = new Set<string>();
    for (const [index, flow] of list.flows.entries()) {
      const path = [...list.path, index];
      const fault = nameFault(flow, list, defined) ?? modelFault(flow, modelTypes);
      if (fault !== undefined) report(path, fault);
      if (!belongs(knownFlows.get(flow.name), list)) continue;
      // One check may be asked of two models.
      const identity = JSON.stringify([flow.name, flow.parameters]);
      if (seen.has(identity)) report(path, `names the flow ${quoted(flow.name)} a second time`);
      seen.add(identity);
    }
  }
}

function belongs(flow: KnownFlow | undefined, { family, tool }: FlowList): boolean {
  return flow?.family === family && (flow.perTool !== undefined) === (tool !== undefined);
}

function placeOf({ family, perTool }: KnownFlow): string {
  return `rails.${family}.${perTool === undefined ? "flows" : "per_tool"}`;
}

function nameFault(flow: Flow, list: FlowList, defined: ReadonlySet<string>): string | undefined {
  const { name } = flow;
  if (name === "") return "names no flow";
  const known = knownFlows.get(name);
  if (known !== undefined && belongs(known, list)) return suffixFault(flow, known);
  if (known !== undefined) {
    return `names the flow ${quoted(name)}, which belongs in ${placeOf(known)}`;
  }
  const isText = list.family === "input" || list.family === "output";
  if (defined.has(name)) return undefined;
  const here = [...knownFlows.values()].filter((flow) => belongs(flow, list));
  const others = [...knownFlows.values()].filter(({ perTool }) => !isText || perTool === undefined);
  const near = nearest(
    name,
    [...here, ...others].map((flow) => flow.name),
  );
  const meant = near !== undefined && (!isText || isSlip(name, near)) ? near : undefined;
  const target = meant === undefined ? undefined : knownFlows.get(meant);
  if (target !== undefined) {
    const where = belongs(target, list) ? "" : `, in ${placeOf(target)}`;
    return `names an unknown flow ${quoted(name)}. Did you mean ${quoted(target.name)}${where}?`;
  }
  if (isText) return undefined;
  const names = here.map((flow) => quoted(flow.name)).join(", ");
  const those = here.length === 1 ? "The one that belongs here is" : "Those that belong here are";
  return `names an unknown flow ${quoted(name)}. ${those} ${names}.`;
}

/**
 * True if a near name can be a slip at all. The other engine's library has
 * names of the same make with another word in them: "regex check input",
 * "jailbreak detection heuristics".
 */
function isSlip(name: string, meant: string): boolean {
  const words = name.split(" ");
  const others = meant.split(" ");
  if (words.length !== others.length) return true;
  return words.every((word, index) => {
    const other = others[index] ?? "";
    return other.startsWith(word) || word.startsWith(other) || nearest(word, [other]) === other;
  });
}

function suffixFault(flow: Flow, known: KnownFlow): string | undefined {
  const names = Object.keys(known.parameters).map((name) => `$${name}`);
  for (const [, parameter = ""] of flow.text.matchAll(/(\$\w+)\s*=/g)) {
    if (names.includes(parameter)) continue;
    return `gives the flow ${quoted(flow.name)} a parameter ${quoted(parameter)}, which it does not take.${didYouMean(parameter, names)}`;
  }
  if (flow.fault !== undefined) return `is ${quoted(flow.text)}, which ${flow.fault}`;
  for (const [name, isNeeded] of Object.entries(known.parameters)) {
    if (!isNeeded || flow.parameters[name] !== undefined) continue;
    return `needs a ${name}: write ${quoted(`${flow.name} $${name}=…`)}${whatItNames[name] ?? ""}`;
  }
  return undefined;
}

const whatItNames: Readonly<Record<string, string>> = {
  model: " with the type of one of the models",
};

function modelFault(flow: Flow, types: ReadonlySet<string> | undefined): string | undefined {
  const { model } = flow.parameters;
  if (types === undefined || model === undefined || types.has(model)) return undefined;
  const known = types.size === 0 ? "none" : [...types].map(quoted).join(", ");
  const hint = didYouMean(model, types) || ` There are: ${known}.`;
  return `names a model type ${quoted(model)} that is not in models.${hint}`;
}

/**
 * Find what the flows of this engine lack: their prompts, and the service of
 * the jailbreak check; and what lacks its flow.
 *
 * Upstream loads a jailbreak check without a service and then blocks every
 * request; here it does not load.
 */
export function checkFlowNeeds(
  data: RailsConfigData,
  isTold: (path: Path) => boolean,
  report: Report,
): void {
  const { flows, schemas, provenance } = data.toolResult;
  const checksResults = flows.some(({ name }) => knownFlows.get(name)?.family === "tool_result");
  if (!checksResults && (Object.keys(schemas).length > 0 || provenance === "required")) {
    const flow = "'tool result validation'";
    report(
      ["rails", "tool_result"],
      `has schemas or provenance, which the flow ${flow} checks. Add it to rails.${data.toolResult.name}.flows.`,
    );
  }
  checkStreaming(data.output, report);
  for (const { list, flow, path } of placedFlows(data)) {
    const lack = isTold(path)
      ? undefined
      : (promptLack(data, flow) ?? sectionLack(data, list, flow));
    if (lack !== undefined) report(path, lack);
  }
}

function promptLack(data: RailsConfigData, flow: Flow): string | undefined {
  const [task] = tasksOf(flow);
  if (task === undefined || promptFor(data, flow) !== undefined) return undefined;
  const others = data.prompts.map((prompt) => prompt.task);
  return `Missing a \`${quoted(task).slice(1, -1)}\` prompt template, which is required for the \`${flow.name}\` rail.${didYouMean(task, others)}`;
}

/** The key of `rails.config` that a flow reads and that is not there. */
function sectionLack(
  { config }: RailsConfigData,
  { family, tool }: FlowList,
  { name }: Flow,
): string | undefined {
  if (name === "jailbreak detection model") {
    const service = config.jailbreak_detection;
    return nimBaseUrl(service) !== undefined && service.nim_server_endpoint.trim() === ""
      ? "needs rails.config.jailbreak_detection.nim_server_endpoint, which is empty"
      : undefined;
  }
  if (tool === undefined || (family !== "tool_call" && family !== "tool_result")) return undefined;
  const check = knownFlows.get(name)?.perTool;
  const patterns = own(config.regex_detection[family], tool)?.patterns ?? [];
  if (check === "regex" && patterns.length === 0) {
    return `needs patterns: rails.config.regex_detection.${family} has none for the tool ${quoted(tool)}`;
  }
  if (check === "cel" && own(config.cel[family], tool) === undefined) {
    return `needs expressions: rails.config.cel.${family} has none for the tool ${quoted(tool)}`;
  }
  return undefined;
}

/** A text that was read before it was rewritten cannot be taken back. */
function checkStreaming({ flows, streaming }: RailsConfigData["output"], report: Report): void {
  const writers = flows.filter(({ name }) => rewritingOutputFlows.has(name));
  const isSafe = !streaming.streamFirst && streaming.contextSize === 0;
  if (writers.length === 0 || !streaming.enabled || isSafe) return;
  const names = writers.map(({ name }) => quoted(name)).join(", ");
  report(
    ["rails", "output", "streaming"],
    `needs stream_first: false and context_size: 0, because of flows that may rewrite the answer: ${names}`,
  );
}
