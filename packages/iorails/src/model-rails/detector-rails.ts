import { didYouMean, quoted } from "@toolstile/core/provider";
import type { Flow, RailsConfigData } from "../config/model.js";
import { type BloatFound, measureBloat } from "../detection/context-bloat.js";
import {
  findInjections,
  type InjectionKind,
  injectionKinds,
  withoutInjections,
} from "../detection/injection.js";
import { TooMuchWork } from "../detection/pattern-search.js";
import { compilePatterns, PatternError } from "../detection/patterns.js";
import { wrongConfig } from "../errors.js";
import { wrongFlow } from "./build-rail.js";
import { CannotJudge } from "./cannot-judge.js";
import { judgedMessages, judgedText, judgedTexts } from "./guard-answer.js";
import type { Direction, RailOfFlow, RailVerdict } from "./rail.js";
import { blocked, blockedIf } from "./verdicts.js";

/** `regex check input` and `regex check output`: a pattern that is found anywhere in the text blocks. */
export function regexCheck(flow: Flow, data: RailsConfigData, direction: Direction): RailOfFlow {
  const { patterns: sources, case_insensitive: ignoreCase } =
    data.config.regex_detection[direction];
  const section = `regex_detection.${direction}`;
  if (sources.length === 0 && !data.configKeys.includes(section)) {
    throw wrongFlow(
      flow,
      `needs rails.config.${section}.patterns, without which it finds nothing.`,
    );
  }
  const patterns = compiled(sources, ignoreCase, section);
  const judge = (texts: readonly string[]): RailVerdict => {
    // As in NeMo: `a*` is found in an empty text too.
    const detections = foundIn(
      patterns,
      texts.filter((text) => text !== ""),
    );
    const is_match = detections.length > 0;
    const metadata = { is_match, detections, source: direction };
    return blockedIf(is_match, flow.name, metadata);
  };
  return {
    judge: async (subject) => judge(judgedTexts(subject, direction)),
  };
}

type Patterns = ReturnType<typeof compilePatterns>;

function compiled(sources: readonly string[], ignoreCase: boolean, section: string): Patterns {
  try {
    return compilePatterns(sources, ignoreCase);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    throw wrongConfig(`rails.config.${section}.patterns ${error.message}.`);
  }
}

/** @throws CannotJudge for a text that takes too much work. */
function foundIn(patterns: Patterns, texts: readonly string[]): readonly string[] {
  try {
    return patterns.foundIn(texts);
  } catch (error) {
    if (error instanceof TooMuchWork) throw new CannotJudge(error.message);
    throw error;
  }
}

/**
 * `injection detection`: an answer with an injection is blocked or, with `action: omit`, loses it.
 *
 * It reads the answer as a whole: what is not yet there may be its second half.
 */
export function injectionDetection(flow: Flow, data: RailsConfigData): RailOfFlow {
  const { injections, action, yara_path, yara_rules } = data.config.injection_detection;
  const section = "rails.config.injection_detection";
  if (yara_path !== "" || Object.keys(yara_rules).length > 0) {
    throw wrongFlow(
      flow,
      `cannot run rules of YARA: ${section}.yara_rules and ${section}.yara_path must be empty.`,
    );
  }
  if (injections.length === 0) {
    throw wrongFlow(flow, `needs ${section}.injections, without which it finds nothing.`);
  }
  const kinds = injections.map((name): InjectionKind => {
    const kind = injectionKinds.find((each) => each === name);
    if (kind !== undefined) return kind;
    throw wrongFlow(
      flow,
      `names an injection ${quoted(name)} in ${section}.injections, which there is not.${didYouMean(name, injectionKinds)} There are: ${injectionKinds.join(", ")}.`,
    );
  });
  return {
    rewrites: true,
    readsWhole: true,
    judge: async (subject) => {
      const text = judgedText(subject, "output");
      const detections = findInjections(text, kinds);
      const metadata = { is_injection: detections.length > 0, detections };
      if (detections.length === 0) return { status: "passed", metadata };
      if (action === "reject") return blocked(flow.name, metadata);
      const left = withoutInjections(text, kinds);
      if (left === undefined) throw new CannotJudge("what it finds cannot be omitted", metadata);
      return { status: "modified", text: left, reason: flow.name, metadata };
    },
  };
}

/**
 * `context bloat detection on input`: a text that is too long, or says little for its length, is blocked, cut or noted.
 *
 * Each of several messages is measured by itself too: others would hide one that says little for its length.
 */
export function contextBloatDetection(_flow: Flow, data: RailsConfigData): RailOfFlow {
  const limits = data.config.context_bloat_detection;
  const { action } = limits;
  return {
    rewrites: true,
    judge: async (subject) => {
      const all = judgedMessages(subject).map((text) =>
        measureBloat(text, limits, action === "truncate"),
      );
      const [whole] = all as [BloatFound];
      const { tooLong, cut } = whole;
      const { detection, metrics } = all.find((each) => each.detection !== undefined) ?? whole;
      const detections = [
        ...(tooLong ? ["size_cap_exceeded"] : []),
        ...(detection === undefined ? [] : [detection]),
      ];
      const metadata = { is_bloat: detections.length > 0, action, detections, metrics };
      const [first] = detections;
      // What a shorter text would say is blocked where longer ones are cut, too.
      const blocks = action === "reject" ? first : action === "truncate" ? detection : undefined;
      if (blocks !== undefined) return blocked(blocks, { ...metadata, action: "reject" });
      if (tooLong && action === "truncate") {
        return { status: "modified", text: cut, reason: "size_cap_exceeded", metadata };
      }
      return { status: "passed", metadata };
    },
  };
}
