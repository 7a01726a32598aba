import type { ContentPart, ResultGuardrail, ToolContent, ToolResult } from "@toolstile/core";
import { call, result } from "@toolstile/testing";
import { rules } from "../src/index.js";

export interface Body {
  readonly content: ToolContent;
  readonly structured?: unknown;
}

/** Asks one rule that cuts to so many characters. */
export async function cutTo(most: number, { content, structured }: Body): Promise<Body | string> {
  const guard = rules({ rules: [{ id: "long", cut: most }] }) as ResultGuardrail;
  const more = structured === undefined ? {} : { structured: structured as never };
  const given: ToolResult = result(call(), content, more);
  const answer = await guard.evaluateResult(call(), given);
  if (answer.decision === "modify") return answer.modifiedResult;
  return answer.decision === "deny" ? answer.reason : answer.decision;
}

export const textPart = (text: string): ContentPart => ({ type: "text", text });

/** The texts of a content, as the page of rules counts them. */
export function shown(content: ToolContent): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [String(part["text"])] : [])).join("\n");
}

/** The texts of any value. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

export const sumOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length, 0);

/** A value as JSON, with each text empty. */
export const bare = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === "string" ? "" : each)) ?? "";

export const notice = /\n\[… (\d+) characters left out by the rule long …\]\n/g;
