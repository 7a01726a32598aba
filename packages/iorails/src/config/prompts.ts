import { knownFlows } from "./flows.js";
import type { ModelConfig, PromptConfig, RailsConfigData } from "./model.js";

/**
 * The readings of a guard model's answer that a prompt can name. The last two
 * are ours: a plain Yes/No where yes blocks, or where yes allows.
 */
export const outputParsers = [
  "nemoguard_parse_prompt_safety",
  "nemoguard_parse_response_safety",
  "nemotron_reasoning_parse_prompt_safety",
  "nemotron_reasoning_parse_response_safety",
  "is_content_safe",
  "yes_blocks",
  "yes_allows",
] as const;
export type OutputParser = (typeof outputParsers)[number];

/** Tasks whose prompts this engine asks; true where the task is followed by ` $model=…`. */
const tasks: ReadonlyMap<string, boolean> = new Map(
  [...knownFlows.values()].flatMap(({ task, needsModel }) =>
    task === undefined ? [] : [[task, needsModel] as const],
  ),
);

const marker = " $model=";

/** Whether this engine asks prompts of a task, with or without its `$model=`. */
export function isOwnTask(task: string): boolean {
  return tasks.has(task.split(marker, 1)[0] ?? task);
}

/**
 * The prompt of a task.
 *
 * `model` is the `type` that the flow names by `$model=`: its own prompt
 * (`task $model=type`) comes first, and for the content and topic checks
 * nothing else will do. Of several prompts the one counts whose `models` fit
 * best the model that will be asked, and the last of equals.
 */
export function promptFor(
  data: Pick<RailsConfigData, "prompts" | "models" | "promptingMode">,
  task: string,
  model?: string | undefined,
): PromptConfig | undefined {
  const asked = askedModel(data.models, task, model);
  const best = (name: string): PromptConfig | undefined => {
    let found: PromptConfig | undefined;
    let highest = 0;
    for (const prompt of data.prompts) {
      const score =
        prompt.task === name ? matchScore(prompt, asked, data.promptingMode) : undefined;
      if (score !== undefined && score >= highest) [found, highest] = [prompt, score];
    }
    return found;
  };
  const own = model === undefined ? undefined : best(`${task}${marker}${model}`);
  return own ?? (tasks.get(task) === true ? undefined : best(task));
}

/** The model that a task is put to: the one named, or else of the task's own name, or else the main one. */
function askedModel(
  models: readonly ModelConfig[],
  task: string,
  named: string | undefined,
): string {
  const types = named === undefined ? [task, "main"] : [named];
  for (const type of types) {
    const model = models.find((candidate) => candidate.type === type);
    if (model !== undefined) return `${model.engine}/${model.model}`.toLowerCase();
  }
  return "";
}

/**
 * How well a prompt fits: upstream's order is exact, model, engine, part of the
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
  const score = scores.length === 0 ? 0.2 : Math.max(...scores);
  if (prompt.mode === mode) return score;
  return prompt.mode === "standard" ? score / 2 : undefined;
}
