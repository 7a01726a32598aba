import { didYouMean, quoted, ToolstileError } from "@toolstile/core";
import { type ContentRule, contentRules } from "./content.js";
import type { LinkageFinding } from "./finding.js";
import { checkOwnOptions, own, readSwitch } from "./own-property.js";
import { Reading } from "./reading.js";

/** What may be asked of a conversation beyond what every recorded one keeps to. */
export interface LinkageOptions {
  /** A result without a name is a finding. Default false: OpenAI's own results have none. */
  readonly requireNames?: boolean | undefined;
  /** A call without a result is a finding at the end of the conversation, too. Default false: the tools may still run. */
  readonly requireAnswers?: boolean | undefined;
  /**
   * What a result's content may be. Default "parts": text, or a list of parts that each have a
   * `type`. "objects": also `null`, nothing, and a list of any objects.
   */
  readonly content?: ContentRule | undefined;
}

/**
 * Find every way in which the results of a conversation do not answer its calls.
 *
 * The conversation is a list of messages as OpenAI's Chat Completions have
 * them. Calls and results are matched per assistant turn, by id, byte for
 * byte: ids may repeat in later turns, as they do in real traffic. The legacy
 * `function_call` and its `function` messages have no ids and are matched by
 * name. A message that cannot be read is a finding and never an exception; no
 * finding means that everything was read.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION`, for wrong options only.
 */
export function checkLinkage(
  messages: unknown,
  options: LinkageOptions = {},
): readonly LinkageFinding[] {
  const { requireNames, requireAnswers, content } = readLinkageOptions("checkLinkage", options);
  if (!Array.isArray(messages)) {
    return [{ code: "malformed_message", index: -1, reason: "the conversation is not a list" }];
  }
  const reading = new Reading(requireNames, content);
  for (let index = 0; index < messages.length; index++) reading.take(messages[index], index);
  return reading.end(requireAnswers);
}

interface ReadOptions {
  readonly requireNames: boolean;
  readonly requireAnswers: boolean;
  readonly content: ContentRule;
}

/** @throws ToolstileError for an option that is not known, or whose value is not. */
function readLinkageOptions(where: string, given: LinkageOptions): ReadOptions {
  checkOwnOptions(where, given, ["requireNames", "requireAnswers", "content"]);
  return {
    requireNames: readSwitch(where, given, "requireNames"),
    requireAnswers: readSwitch(where, given, "requireAnswers"),
    content: readContentRule(where, own(given, "content") ?? "parts"),
  };
}

function readContentRule(where: string, rule: unknown): ContentRule {
  if (contentRules.includes(rule as string)) return rule as ContentRule;
  const guess = typeof rule === "string" ? didYouMean(rule, contentRules) : "";
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `${where}: content is one of ${contentRules.map(quoted).join(", ")}.${guess}`,
  );
}
