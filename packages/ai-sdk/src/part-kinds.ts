import { ownValue } from "@toolstile/core/provider";
import type { ModelPart } from "./sdk.js";

/** The members that say nothing of what a provider's tool found, by the type of part. */
const plainMembers = {
  text: ["text"],
  "text-start": ["id"],
  "text-delta": ["id", "delta"],
  "text-end": ["id"],
  reasoning: ["text"],
  "reasoning-start": ["id"],
  "reasoning-delta": ["id", "delta"],
  "reasoning-end": ["id"],
  "tool-input-start": ["id", "toolName", "providerExecuted", "dynamic", "title", "inputEncoding"],
  "tool-input-delta": ["id", "delta"],
  "tool-input-end": ["id"],
  "stream-start": ["warnings"],
  "response-metadata": ["id", "modelId", "timestamp"],
  ping: [],
  finish: ["finishReason", "usage"],
  error: ["error"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The calls of tools, and what became of them. */
const callTypes = ["tool-call", "tool-result", "tool-approval-request"] as const;

/** Types whose parts may say what a provider's tool found. */
const findingTypes = ["source", "file", "reasoning-file", "custom", "raw"] as const;

/** The types of parts that the specifications of models have, from version 2 to 4. */
export type KnownPart =
  | keyof typeof plainMembers
  | (typeof callTypes)[number]
  | (typeof findingTypes)[number];

const known: ReadonlySet<unknown> = new Set([
  ...Object.keys(plainMembers),
  ...callTypes,
  ...findingTypes,
] satisfies string[]);

/** True of a part that is understood: it has a type, and the type is of those that models have. */
export function isKnown(part: unknown): part is ModelPart {
  return known.has(ownValue(part, "type"));
}

/** True of a part that may say what a provider's tool found. */
export function mayHoldFindings({ type }: ModelPart): boolean {
  return (findingTypes as readonly string[]).includes(type);
}

/** The part without what the provider says beside it: citations and metadata among it. */
export function withoutFindings(part: ModelPart): ModelPart {
  const kept = ownValue(plainMembers, part.type) as readonly string[] | undefined;
  if (kept === undefined) return part;
  const members = Object.entries(part).filter(([key]) => key === "type" || kept.includes(key));
  return Object.fromEntries(members) as unknown as ModelPart;
}
