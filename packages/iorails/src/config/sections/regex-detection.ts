import { flag, listOf, mappingOf, orElse, section, textLike } from "../shape.js";

/** Patterns, any of which blocks what it is found in. */
export interface RegexOptions {
  readonly patterns: readonly string[];
  readonly case_insensitive: boolean;
}

/** The patterns of the regex rails. */
export interface RegexDetectionSection {
  readonly input: RegexOptions;
  readonly output: RegexOptions;
  /** Read, and of no effect: this engine has no retrieval. */
  readonly retrieval: RegexOptions;
  /** By tool name. */
  readonly tool_call: Readonly<Record<string, RegexOptions>>;
  readonly tool_result: Readonly<Record<string, RegexOptions>>;
}

/** True if any pattern has to be read. */
export function hasPatterns(section: RegexDetectionSection): boolean {
  const { input, output, retrieval, tool_call, tool_result } = section;
  const all = [
    input,
    output,
    retrieval,
    ...Object.values(tool_call),
    ...Object.values(tool_result),
  ];
  return all.some(({ patterns }) => patterns.length > 0);
}

const options = section({
  patterns: orElse(listOf(textLike(/[\s\S]/, "text that is not empty")), []),
  case_insensitive: orElse(flag, false),
});

export const regexDetection = section({
  input: orElse(options),
  output: orElse(options),
  retrieval: orElse(options),
  tool_call: orElse(mappingOf(options)),
  tool_result: orElse(mappingOf(options)),
});
