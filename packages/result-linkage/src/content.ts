import { own } from "./own-property.js";

/** Whether it is content that a model can be shown: text, or a list of parts that each name their type. */
export function isContent(content: unknown): boolean {
  if (typeof content === "string") return true;
  return Array.isArray(content) && content.every((part) => typeof own(part, "type") === "string");
}
