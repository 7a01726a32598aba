import { boolean, type OptionTable, oneOf, readOptions } from "@toolstile/core/provider";
import type { ContentRule } from "./content.js";
import { messagesIn } from "./conversation.js";
import type { LinkageFinding } from "./finding.js";
import { Reading } from "./reading.js";

/** Rules for a conversation that are stricter, or looser, than what every recorded one keeps. */
export interface LinkageOptions {
  /** A result without a name is a finding. Default false: OpenAI's own results have none. */
  readonly requireNames?: boolean | undefined;
  /** A call without a result is a finding at the end of the conversation, too. Default false: the tools may still run. */
  readonly requireAnswers?: boolean | undefined;
  /**
   * The accepted content of a result. Default "parts": text, or a list of parts as a user may send
   * them. "objects": also `null`, nothing, and objects in the list that name no `type`.
   */
  readonly content?: ContentRule | undefined;
}

const linkageOptions = {
  requireNames: boolean().default(false),
  requireAnswers: boolean().default(false),
  content: oneOf("parts", "objects").default("parts"),
} satisfies OptionTable<LinkageOptions>;

/**
 * Find every way in which the results of a conversation do not answer its calls.
 *
 * The conversation is a list of messages as OpenAI's Chat Completions have
 * them. Calls and results are matched per assistant turn, by id, byte for
 * byte: ids may repeat in later turns, as they do in real traffic. The legacy
 * `function_call` and its `function` messages have no ids and are matched by
 * name. A message that cannot be read is a finding and never an exception, and
 * so is a member or a part that is not one of Chat Completions: no finding
 * means that everything was read.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION`, for wrong options only.
 */
export function checkLinkage(
  messages: unknown,
  options: LinkageOptions = {},
): readonly LinkageFinding[] {
  const { requireNames, requireAnswers, content } = readOptions(
    "checkLinkage()",
    options,
    linkageOptions,
  );
  const list = messagesIn(messages);
  if (list === undefined) {
    return [{ code: "malformed_message", index: -1, reason: "the conversation is not a list" }];
  }
  const reading = new Reading(requireNames, content);
  for (const [index, message] of list.entries()) reading.take(message, index);
  return reading.end(requireAnswers);
}
