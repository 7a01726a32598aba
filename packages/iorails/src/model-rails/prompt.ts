import { quoted } from "@toolstile/core/provider";
import type { ChatMessage } from "../chat/message.js";
import type { PromptConfig, RailsConfigData } from "../config/model.js";
import { wrongConfig } from "../errors.js";
import { CannotJudge } from "./cannot-judge.js";
import { compileTemplate, type TemplateVariables } from "./template.js";
import { partText } from "./user-text.js";

/** A prompt as it is written: `content`, or messages. */
export type WrittenPrompt = Pick<PromptConfig, "task" | "content" | "maxLength"> &
  Partial<Pick<PromptConfig, "messages" | "maxTokens" | "stop">>;

/** A prompt of the configuration, its templates read. */
export interface Prompt {
  /** `max_tokens` and `stop` for the body of the request. */
  readonly maxTokens: number | undefined;
  readonly stop: readonly string[] | undefined;
  /** A message is nothing but `{{ user_input }}`, so that a list is handed on whole. */
  readonly keepsParts: boolean;
  /** True if a template of it reads this variable. */
  readonly reads: (variable: string) => boolean;
  /**
   * The messages to send.
   *
   * @throws CannotJudge for a template that fails, or text above the prompt's `max_length` characters: what is too long to be judged is not judged in part.
   */
  readonly render: (
    variables: TemplateVariables,
    parts?: readonly unknown[] | undefined,
  ) => readonly ChatMessage[];
}

/**
 * Read the templates of a prompt.
 *
 * @param constants variables whose values are known already.
 * @throws ToolstileError `ERR_CONFIG` that names the task.
 */
export function compilePrompt(
  config: WrittenPrompt,
  variables: readonly string[],
  constants: TemplateVariables = {},
): Prompt {
  const names = [...variables, ...Object.keys(constants)];
  const where = `The prompt of task ${quoted(config.task)}`;
  const written =
    config.content !== undefined ? [{ type: "user", content: config.content }] : config.messages;
  if (written === undefined || written.length === 0) {
    throw wrongConfig(`${where} has neither content nor messages.`);
  }
  const templates = written.map(({ type, content }) => ({
    role: type,
    template: compileTemplate(content, names, where),
  }));
  // Only of messages: a prompt that is one text stays text.
  const keepsList = (name: string | undefined): boolean =>
    name === "user_input" && config.content === undefined;
  return {
    maxTokens: config.maxTokens,
    stop: config.stop,
    keepsParts: templates.some(({ template }) => keepsList(template.onlyVariable)),
    reads: (variable) => templates.some(({ template }) => template.variables.has(variable)),
    render: (given, parts) => {
      const values = { ...constants, ...given };
      const messages = templates.map(({ role, template }) => ({
        role,
        content:
          parts !== undefined && keepsList(template.onlyVariable)
            ? parts
            : rendered(() => template.render(values)),
      }));
      let room = config.maxLength;
      for (const { content } of messages) {
        const texts =
          typeof content === "string" ? [content] : content.map((part) => partText(part) ?? "");
        for (const text of texts) room -= characters(text, config.maxLength);
      }
      if (room < 0) {
        throw new CannotJudge(`the prompt is longer than ${config.maxLength} characters`);
      }
      return messages;
    },
  };
}

function rendered(render: () => string): string {
  try {
    return render();
  } catch {
    // What the library says may quote a value.
    throw new CannotJudge("the prompt cannot be rendered");
  }
}

/** Code points, as upstream counts; of a text that is far too long, only enough to know it. */
function characters(text: string, limit: number): number {
  if (text.length > 2 * limit) return limit + 1;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The variables of any prompt of a configuration: what it says to the model in general. */
export function constantsOf({ generalInstructions }: RailsConfigData): TemplateVariables {
  return generalInstructions === undefined ? {} : { general_instructions: generalInstructions };
}
