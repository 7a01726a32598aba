import type { ModelPart } from "./sdk.js";

/** The members that say nothing of what a provider's tool found, by the type of part. Any other type may hold it. */
const plainMembers: ReadonlyMap<string, readonly string[]> = new Map([
  ["text", ["text"]],
  ["text-start", ["id"]],
  ["text-delta", ["id", "delta"]],
  ["text-end", ["id"]],
  ["reasoning", ["text"]],
  ["reasoning-start", ["id"]],
  ["reasoning-delta", ["id", "delta"]],
  ["reasoning-end", ["id"]],
  ["tool-input-start", ["id", "toolName", "providerExecuted", "dynamic", "title", "inputEncoding"]],
  ["tool-input-delta", ["id", "delta"]],
  ["tool-input-end", ["id"]],
  ["stream-start", ["warnings"]],
  ["response-metadata", ["id", "modelId", "timestamp"]],
  ["finish", ["finishReason", "usage"]],
  ["error", ["error"]],
]);

/** True of the model's own words, and of what frames them. A source, a file or a part of an unknown type is neither. */
export function isOwnWords({ type }: ModelPart): boolean {
  return plainMembers.has(type);
}

/** The part without what the provider says beside it: citations and metadata among it. */
export function withoutFindings(part: ModelPart): ModelPart {
  const kept = plainMembers.get(part.type);
  if (kept === undefined) return part;
  const members = Object.entries(part).filter(([key]) => key === "type" || kept.includes(key));
  return Object.fromEntries(members) as unknown as ModelPart;
}
