import { ownValue } from "@toolstile/core/provider";
import type { HfClassifier } from "../config/sections/hf-classifier.js";
import { CannotJudge } from "./cannot-judge.js";

/** A label that a classifier gives a text, and how sure it is. */
export interface Label {
  readonly label: string;
  readonly score: number;
}

/** The request that a classifier's server is sent, and the reading of its answer. */
export interface ClassifierShape {
  /** The path of the request, relative to the server's address. */
  readonly path: (model: string) => string;
  readonly body: (text: string, classifier: Pick<HfClassifier, "model" | "threshold">) => unknown;
  /** @throws CannotJudge for an answer of another shape. */
  readonly read: (answer: unknown) => readonly Label[];
}

/** By the engines that `rails.config.hf_classifier` names. */
export const classifierShapes: ReadonlyMap<HfClassifier["engine"], ClassifierShape> = new Map([
  [
    "vllm",
    {
      path: () => "classify",
      body: (text, { model }) => ({ model, input: text }),
      read: (answer) =>
        listIn(answer, "data").map((entry) => ({
          label: labelOf(ownValue(entry, "label")),
          score: filled(ownValue(entry, "probs"))
            .map(scoreOf)
            .reduce((most, each) => Math.max(most, each)),
        })),
    },
  ],
  [
    "kserve",
    {
      path: (model) => `v1/models/${encodeURIComponent(model)}:predict`,
      body: (text) => ({ instances: [text] }),
      read: (answer) => listIn(answer, "predictions").flatMap(prediction),
    },
  ],
  [
    "fms",
    {
      path: () => "api/v1/text/contents",
      body: (text, { threshold }) => ({ contents: [text], detector_params: { threshold } }),
      // What it does not find is absent, so that the list of a text may be empty.
      read: (answer) =>
        filled(answer).flatMap((found) =>
          anyList(found).map((entry) => ({
            label: labelOf(ownValue(entry, "detection_type")),
            score: scoreOf(ownValue(entry, "score")),
          })),
        ),
    },
  ],
]);

/** The detections at or above the threshold whose labels block. */
export function blockedBy(
  labels: readonly Label[],
  { blocked_labels, threshold }: Pick<HfClassifier, "blocked_labels" | "threshold">,
): readonly Label[] {
  return labels.filter(({ label, score }) => score >= threshold && blocked_labels.includes(label));
}

/** One prediction of KServe's: scores by label, the index of a class, or a list of such. */
function prediction(value: unknown): readonly Label[] {
  if (Array.isArray(value)) return filled(value).flatMap(prediction);
  if (Number.isInteger(value)) return [{ label: String(value), score: 1 }];
  if (typeof value !== "object" || value === null) throw otherShape();
  const label = ownValue(value, "label");
  if (typeof label === "string") return [{ label, score: scoreOf(ownValue(value, "score")) }];
  const scores = Object.entries(value);
  if (scores.length === 0) throw otherShape();
  return scores.map(([name, score]) => ({ label: name, score: scoreOf(score) }));
}

function listIn(answer: unknown, key: string): readonly unknown[] {
  return filled(ownValue(answer, key));
}

/** A list of one entry at least: to have found nothing of anything is no verdict. */
function filled(value: unknown): readonly unknown[] {
  const list = anyList(value);
  if (list.length === 0) throw otherShape();
  return list;
}

/** @throws CannotJudge for what is no list. */
export function anyList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw otherShape();
  return value;
}

function labelOf(value: unknown): string {
  if (typeof value !== "string") throw otherShape();
  return value;
}

function scoreOf(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw otherShape();
  return value;
}

export function otherShape(): CannotJudge {
  return new CannotJudge("the service gave an answer of another shape");
}
