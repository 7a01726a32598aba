import { own } from "./own-property.js";

/** Whether it is content that a model can be shown: text, or a list of parts that each name their type. */
export function isContent(content: unknown): boolean {
  if (typeof content === "string") return true;
  return Array.isArray(content) && content.every((part) => typeof own(part, "type") === "string");
}

/** What a result's content may be: what a model can be shown, or also `null`, nothing, and a list of any objects. */
export type ContentRule = "parts" | "objects";
export const contentRules: readonly string[] = ["parts", "objects"] satisfies ContentRule[];

/** Whether content is what the rule lets it be. */
export function keepsTo(rule: ContentRule, content: unknown): boolean {
  if (rule === "parts") return isContent(content);
  if (content === undefined || content === null || typeof content === "string") return true;
  return Array.isArray(content) && content.every(isObject);
}

function isObject(part: unknown): boolean {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}
