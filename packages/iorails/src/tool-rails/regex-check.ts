import type { Path } from "@toolstile/config/yaml";
import { own } from "@toolstile/core/provider";
import type { ToolFamily } from "../config/flows.js";
import type { Flow, RailsConfigData } from "../config/model.js";
import type { RegexDetectionSection, RegexOptions } from "../config/sections/regex-detection.js";
import type { Report } from "../config/shape.js";
import { compilePatterns, PatternError } from "../detection/patterns.js";
import { blockedIf } from "../model-rails/verdicts.js";
import { judgedArguments } from "./judged-argument.js";
import type { PerToolRail } from "./per-tool-rail.js";
import { pythonJson, textsIn } from "./python-json.js";

/** Reports the patterns that cannot be run, with their index. */
export function checkPatterns(section: RegexDetectionSection, report: Report): void {
  const check = (path: Path, { patterns, case_insensitive }: RegexOptions): void => {
    try {
      compilePatterns(patterns, case_insensitive);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      report(["rails", "config", "regex_detection", ...path, "patterns"], error.message);
    }
  };
  for (const direction of ["input", "output", "retrieval"] as const) {
    check([direction], section[direction]);
  }
  for (const family of ["tool_call", "tool_result"] as const) {
    for (const [tool, options] of Object.entries(section[family])) check([family, tool], options);
  }
}

/**
 * `regex check tool call` and `regex check tool result`: a pattern of the tool that is found blocks.
 *
 * It is looked for in every text of the arguments or the content, and in their
 * JSON. In the JSON alone, where NeMo looks, a line's end or an umlaut stands
 * escaped, and a pattern with one would not be found.
 */
export function regexCheck(
  flow: Flow,
  family: ToolFamily,
  tool: string,
  { config }: RailsConfigData,
): PerToolRail["judge"] {
  const { patterns = [], case_insensitive = false } =
    own(config.regex_detection[family], tool) ?? {};
  const compiled = compilePatterns(patterns, case_insensitive);
  const source = family;
  return (subject) => {
    const judged =
      family === "tool_call" ? judgedArguments(flow, subject) : (subject.content ?? "");
    const texts = textsIn(judged);
    const detections = compiled.foundIn(
      typeof judged === "string" ? texts : [...texts, pythonJson(judged)],
    );
    const is_match = detections.length > 0;
    const metadata = { is_match, detections, source };
    return blockedIf(is_match, "a pattern of the tool was found", metadata);
  };
}
