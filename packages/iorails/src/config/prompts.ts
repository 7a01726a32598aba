import { knownFlows, modelTypesOf, tasksOf } from "./flows.js";
import type { Flow, ModelConfig, PromptConfig, RailsConfigData } from "./model.js";

/**
 * The readings of a guard model's answer that a prompt can name. The last two
 * are ours: a plain Yes/No where yes blocks, or where yes allows.
 */
export const outputParsers = [
  "nemoguard_parse_prompt_safety",
  "nemoguard_parse_response_safety",
  "nemotron_reasoning_parse_prompt_safety",
  "nemotron_reasoning_parse_response_safety",
  "nemotron_content_safety_parse_prompt_safety",
  "nemotron_content_safety_parse_response_safety",
  "is_content_safe",
  "parse_tool_safety_verdict",
  "yes_blocks",
  "yes_allows",
] as const;
export type OutputParser = (typeof outputParsers)[number];

const tasks: ReadonlySet<string | undefined> = new Set(
  Array.from(knownFlows.values(), ({ task }) => task),
);

/** True if this engine uses prompts of a task: a flow's, with or without parameters, or the bare name of a variant. */
export function isOwnTask(task: string, flows: readonly Flow[]): boolean {
  const [bare = ""] = task.split(" $", 1);
  return tasks.has(bare) || flows.some(({ parameters }) => parameters["variant"] === task);
}

/**
 * The prompt of a flow.
 *
 * The prompt of its own parameters comes first (`task $model=type`), and for
 * the content and topic checks nothing else will do. Of several prompts the
 * one counts whose `models` fit best the model that will be asked, and the
 * last of equals.
 */
export function promptFor(
  data: Pick<RailsConfigData, "prompts" | "models" | "promptingMode">,
  flow: Flow,
): PromptConfig | undefined {
  const asked = askedModel(data.models, flow);
  for (const task of tasksOf(flow)) {
    let found: PromptConfig | undefined;
    let highest = 0;
    for (const prompt of data.prompts) {
      const score =
        prompt.task === task ? matchScore(prompt, asked, data.promptingMode) : undefined;
      if (score !== undefined && score >= highest) [found, highest] = [prompt, score];
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

function askedModel(models: readonly ModelConfig[], flow: Flow): string {
  for (const type of modelTypesOf(flow)) {
    const model = models.find((candidate) => candidate.type === type);
    if (model !== undefined) return `${model.engine}/${model.model}`.toLowerCase();
  }
  return "";
}

/**
 * The score of a prompt, by how well it fits: upstream's order is exact, model, engine, part of the
 * name, any model, none; a standard prompt stands in for a missing mode at half.
 */
function matchScore(prompt: PromptConfig, asked: string, mode: string): number | undefined {
  const scores = (prompt.models ?? []).map((written) => {
    const name = written.toLowerCase();
    if (name === asked) return 1;
    if (asked.startsWith(`${name}/`)) return 0.5;
    if (asked.endsWith(`/${name}`)) return 0.8;
    return asked.includes(name) ? 0.4 : 0;
  });
  const score =
    scores.length === 0 ? 0.2 : scores.reduce<number>((best, each) => Math.max(best, each), 0);
  if (prompt.mode === mode) return score;
  return prompt.mode === "standard" ? score / 2 : undefined;
}
