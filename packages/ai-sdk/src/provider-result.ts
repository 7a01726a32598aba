import { type ToolOutcome, textOf, toolResult } from "@toolstile/core";
import type { OpenedCall, StoppedCall } from "@toolstile/core/host";
import type { ModelPart } from "./sdk.js";

/** The guards' decision on a call. */
export type Said = OpenedCall | StoppedCall;

/** The text that the model reads in place of a call's result; undefined where the result may be judged. */
export function stoppedText(said: Said): string | undefined {
  if (said.outcome !== undefined) return textOf(said.outcome.result);
  if (said.modifiedBy.length === 0) return undefined;
  return "Tool call denied: its arguments were changed, and the provider runs it with the old ones";
}

/** A result of a tool that the provider has run, as the guards judged it. */
export async function judged(part: ModelPart, said: Said): Promise<ModelPart> {
  if (said.outcome !== undefined) return replaced(part, withheldText(said.outcome));
  const stopped = stoppedText(said) ?? misnamedText(part, said);
  if (stopped !== undefined) {
    await said.close({ error: new Error(stopped) });
    return replaced(part, stopped);
  }
  const outcome = await said.close({ value: claimed(part) });
  if (outcome.status === "executed") return changed(part, outcome.value);
  if (outcome.status !== "failed") return replaced(part, textOf(outcome.result));
  const { structured, content } = outcome.result;
  return changed(part, structured === undefined ? content : structured);
}

/** The text for a result that names another tool than the call that was judged. */
function misnamedText({ toolName }: ModelPart, { call }: OpenedCall): string | undefined {
  if (toolName === call.requestedName) return undefined;
  return "Tool result withheld: it names another tool than its call";
}

/** "Denied" would tell the model that what has been done already was not. */
function withheldText({ result, ...outcome }: ToolOutcome): string {
  const text = textOf(result);
  return "reason" in outcome && text === `Tool call denied: ${outcome.reason}`
    ? `Tool result withheld: ${outcome.reason}`
    : text;
}

/** The result with the identity that it claims, for whoever judges that. */
function claimed({ toolCallId, toolName, result, isError }: ModelPart) {
  const isText = typeof result === "string";
  return toolResult({
    callId: toolCallId,
    name: toolName,
    content: isText ? result : JSON.stringify(result),
    structured: isText ? undefined : (result as object as never),
    isError: isError === true,
  });
}

/** By what the provider says beside a result, it could still find the one that was judged away. */
function changed(part: ModelPart, result: unknown): ModelPart {
  if (JSON.stringify(result) === JSON.stringify(part.result)) return { ...part, result };
  return withoutMetadata({ ...part, result });
}

export function replaced(part: ModelPart, text: string): ModelPart {
  return withoutMetadata({ ...part, result: text, isError: true });
}

export function withoutMetadata(part: ModelPart): ModelPart {
  const { providerMetadata: _, ...rest } = part as ModelPart & { providerMetadata?: unknown };
  return rest;
}
