import { isJsonObject, ownValue } from "@toolstile/core/provider";
import { resultPart } from "./message-shape.js";

/** True for content that a model can be shown: text, or a list of parts that each name their type. */
export function isContent(content: unknown): boolean {
  if (typeof content === "string") return true;
  return (
    Array.isArray(content) && content.every((part) => typeof ownValue(part, "type") === "string")
  );
}

/** The accepted content of a result: text or parts, or also `null`, nothing, and a list with objects that name no type. */
export type ContentRule = "parts" | "objects";

/** True if content keeps to the rule. */
export function keepsTo(rule: ContentRule, content: unknown): boolean {
  if (typeof content === "string") return true;
  if (content === undefined || content === null) return rule === "objects";
  if (!Array.isArray(content)) return false;
  // A hole in the list is not a part.
  return Array.from(content).every(
    (part) => resultPart(part) === undefined || (rule === "objects" && isBareObject(part)),
  );
}

/** An object that names no type: data, and no part of a form that is not read here. */
function isBareObject(part: unknown): boolean {
  if (!isJsonObject(part)) return false;
  return (ownValue(part, "type") ?? undefined) === undefined;
}
