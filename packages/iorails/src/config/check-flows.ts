import { didYouMean, nearest, quoted } from "@toolstile/core";
import { type FlowFamily, flowFamilies, knownFlows } from "./flows.js";
import type { Flow, RailsConfigData } from "./model.js";
import type { Path } from "./problems.js";
import { promptFor } from "./prompts.js";

/** Tells of a problem at a path of the configuration. */
export type Report = (path: Path, message: string) => void;

type FlowsOf = Readonly<Record<FlowFamily, readonly Flow[] | undefined>>;

export function flowsOf(
  data: Pick<RailsConfigData, "input" | "output" | "toolOutput" | "toolInput">,
): Readonly<Record<FlowFamily, readonly Flow[]>> {
  return {
    input: data.input.flows,
    output: data.output.flows,
    tool_output: data.toolOutput.flows,
    tool_input: data.toolInput.flows,
  };
}

/**
 * Find the flows that no engine would run as meant: misspelt, in the wrong
 * section, twice, or with a model that is not there.
 *
 * A flow that Colang files define, or in the sections for text one that is no
 * slip for one of ours, is the other engine's: not wrong here.
 */
export function checkFlowNames(
  flows: FlowsOf,
  defined: ReadonlySet<string>,
  modelTypes: ReadonlySet<string> | undefined,
  report: Report,
): void {
  for (const family of flowFamilies) {
    const seen = new Set<string>();
    for (const [index, flow] of (flows[family] ?? []).entries()) {
      const path = ["rails", family, "flows", index];
      const fault = nameFault(flow, family, defined) ?? modelFault(flow, modelTypes);
      if (fault !== undefined) report(path, fault);
      if (knownFlows.get(flow.name)?.family !== family) continue;
      // One check may be asked of two models.
      const identity = JSON.stringify([flow.name, flow.model]);
      if (seen.has(identity)) report(path, `names the flow ${quoted(flow.name)} a second time`);
      seen.add(identity);
    }
  }
}

function nameFault(
  flow: Flow,
  family: FlowFamily,
  defined: ReadonlySet<string>,
): string | undefined {
  const { name } = flow;
  if (name === "") return "names no flow";
  const known = knownFlows.get(name);
  if (known?.family === family) return suffixFault(flow, known.needsModel);
  if (known !== undefined) {
    return `names the flow ${quoted(name)}, which belongs in rails.${known.family}.flows`;
  }
  if (defined.has(name)) return undefined;
  const own = [...knownFlows.values()].filter((flow) => flow.family === family);
  const near = nearest(name, [...own.map((flow) => flow.name), ...knownFlows.keys()]);
  const isToolFamily = family === "tool_output" || family === "tool_input";
  const meant = near !== undefined && (isToolFamily || isSlip(name, near)) ? near : undefined;
  if (meant === undefined && !isToolFamily) return undefined;
  const target = meant === undefined ? own[0] : knownFlows.get(meant);
  const where = target?.family === family ? "" : `, in rails.${target?.family}.flows`;
  const hint =
    meant === undefined
      ? `The one that belongs here is ${quoted(target?.name ?? "")}.`
      : `Did you mean ${quoted(meant)}${where}?`;
  return `names an unknown flow ${quoted(name)}. ${hint}`;
}

/**
 * Whether a near name can be a slip at all. The other engine's library has
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

function suffixFault(flow: Flow, needsModel: boolean): string | undefined {
  for (const [, parameter = ""] of flow.text.matchAll(/\$(\w+)\s*=/g)) {
    if (parameter === "model") continue;
    return `gives the flow ${quoted(flow.name)} a parameter ${quoted(`$${parameter}`)}, which it does not take.${didYouMean(`$${parameter}`, ["$model"])}`;
  }
  if (!needsModel || flow.model !== undefined) return undefined;
  return `needs a model: write ${quoted(`${flow.name} $model=…`)} with the type of one of the models`;
}

function modelFault(flow: Flow, types: ReadonlySet<string> | undefined): string | undefined {
  if (types === undefined || flow.model === undefined || types.has(flow.model)) return undefined;
  const known = types.size === 0 ? "none" : [...types].map(quoted).join(", ");
  const hint = didYouMean(flow.model, types) || ` There are: ${known}.`;
  return `names a model type ${quoted(flow.model)} that is not in models.${hint}`;
}

/**
 * Find what the flows of this engine lack: their prompts, and the service of
 * the jailbreak check.
 *
 * Upstream loads a jailbreak check without a service and then blocks every
 * request; here it does not load.
 */
export function checkFlowNeeds(data: RailsConfigData, report: Report): void {
  for (const [family, flows] of Object.entries(flowsOf(data))) {
    for (const [index, flow] of flows.entries()) {
      const path = ["rails", family, "flows", index];
      const known = knownFlows.get(flow.name);
      if (known?.task !== undefined && promptFor(data, known.task, flow.model) === undefined) {
        const task = known.needsModel ? `${known.task} $model=${flow.model ?? ""}` : known.task;
        const others = data.prompts.map((prompt) => prompt.task);
        report(
          path,
          `Missing a \`${bare(task)}\` prompt template, which is required for the \`${known.name}\` rail.${didYouMean(task, others)}`,
        );
      }
      if (flow.name === "jailbreak detection model") {
        const { nimBaseUrl, nimServerEndpoint } = data.jailbreakDetection;
        if (nimBaseUrl === undefined) {
          report(path, "needs rails.config.jailbreak_detection.nim_base_url, which is not set");
        } else if (nimServerEndpoint.trim() === "") {
          report(
            path,
            "needs rails.config.jailbreak_detection.nim_server_endpoint, which is empty",
          );
        }
      }
    }
  }
}

function bare(name: string): string {
  return quoted(name).slice(1, -1);
}
