import { optionError, text as textReader } from "@toolstile/core/provider";
import { plainText, showInvisible } from "./plain-text.js";
import { type Signal, signalsIn } from "./signals.js";
import { bias, weights } from "./weights.js";

/** The scanner's answer about a text. */
export interface InjectionScore {
  /** From 0 to 1. It is no probability that something is an attack: see the published scores. */
  readonly score: number;
  readonly signals: readonly Signal[];
  /** True if only the beginning and the end of the text were read. */
  readonly isPartial: boolean;
}

/** The score from which a text counts as suspicious in the published scores. */
export const suspicious = 0.7;

const longestEnd = 65_536;

/**
 * Scores a text by how much it reads like instructions to a model.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` for what is no text.
 */
export function scanText(text: string): InjectionScore {
  textReader().required().read(text, "scanText()", "text");
  const isPartial = text.length > 2 * longestEnd;
  const read = isPartial ? `${text.slice(0, longestEnd)}\n${text.slice(-longestEnd)}` : text;
  const signals = signalsIn(plainText(read));
  const odds = signals.reduce((sum, signal) => sum + weights[signal], bias);
  return { score: Math.round(100 / (1 + Math.exp(-odds))) / 100, signals, isPartial };
}

/** The scanner's answer about the definition of a tool. */
export interface ToolScore extends InjectionScore {
  /** The definition as JSON, with what no reader sees written as `\\u{…}`. */
  readonly shown: string;
}

/** Scores the definition of a tool, and shows the invisible characters in it. */
export function scanTool(definition: object): ToolScore {
  if (typeof definition !== "object" || definition === null) {
    throw optionError("scanTool()", "definition", "the definition of a tool", definition);
  }
  const text = textsIn(definition).join("\n");
  return { ...scanText(text), shown: showInvisible(JSON.stringify(definition)) };
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
