import { ownValue, parseArguments } from "@toolstile/core/provider";
import { type Reading, readVerdict, unparseable, yesAllows, yesBlocks } from "./yes-no.js";

/** Reads the verdict off a judge's answer. Whatever it cannot read is unparseable, never a guess. */
export type OutputParser = (answer: string) => Reading;

/** The parsers that a prompt may name as `output_parser`. */
export const outputParsers: ReadonlyMap<string, OutputParser> = new Map([
  ["nemoguard_parse_prompt_safety", jsonSafety("User Safety")],
  ["nemoguard_parse_response_safety", jsonSafety("Response Safety")],
  ["nemotron_reasoning_parse_prompt_safety", harmLine("prompt harm")],
  ["nemotron_reasoning_parse_response_safety", harmLine("response harm")],
  ["nemotron_content_safety_parse_prompt_safety", safetyLine("user safety")],
  ["nemotron_content_safety_parse_response_safety", safetyLine("response safety")],
  ["is_content_safe", (answer: string) => readVerdict(answer, yesBlocks)],
  ["parse_tool_safety_verdict", safeAlone],
  ["yes_blocks", (answer: string) => withoutCategories(readVerdict(answer, yesBlocks))],
  ["yes_allows", (answer: string) => withoutCategories(readVerdict(answer, yesAllows))],
]);

function withoutCategories({ verdict }: Reading): Reading {
  return { verdict };
}

/** `safe` without another word, or `unsafe` with whatever reason after it, which is not kept. A few signs may stand before it. */
function safeAlone(answer: string): Reading {
  const [, said] =
    /^["'“‘«*_`(>\s-]{0,20}(unsafe(?![\p{L}\p{N}_])|safe[\s.!,;"'”’»*_`)]*$)/iu.exec(answer) ?? [];
  if (said === undefined) return unparseable;
  return { verdict: said.toLowerCase() === "unsafe" ? "block" : "allow" };
}

/**
 * One JSON object and nothing else. A key said twice, also in another
 * spelling, contradicts itself and is unparseable.
 */
function jsonSafety(key: string): OutputParser {
  const folded = (text: string): string => text.trim().toLowerCase();
  return (answer) => {
    const parsed = parseArguments(answer);
    if (!parsed.ok) return unparseable;
    const spelt = Object.keys(parsed.args).filter((name) => folded(name) === folded(key));
    const value = ownValue(parsed.args, key);
    if (spelt.length !== 1 || typeof value !== "string") return unparseable;
    switch (folded(value)) {
      case "safe":
        return { verdict: "allow" };
      case "unsafe":
        return {
          verdict: "block",
          categories: categories(ownValue(parsed.args, "Safety Categories")),
        };
      default:
        return unparseable;
    }
  };
}

function categories(value: unknown): readonly string[] {
  if (typeof value !== "string") return [];
  return value
    .split(",")
    .map((category) => category.trim())
    .filter((category) => category !== "");
}

/**
 * The line `{key}: unharmful` or `{key}: harmful`, after the reasoning.
 *
 * Every line that has the key must be such a line, and all must agree.
 */
function harmLine(key: string): OutputParser {
  const verdict = new RegExp(`^[\\s\\p{P}]*${key}[\\s\\p{P}]*([\\p{L}\\p{N}]+)[\\s\\p{P}]*$`, "u");
  return (answer) => {
    // Emphasis inside the key would hide a line from the comparison below.
    const text = withoutThought(answer.toLowerCase().replace(/[*_`~]/g, ""));
    if (text === undefined) return unparseable;
    const said = new Set<string | undefined>();
    for (const line of text.split(/[\n\r]/u)) {
      if (line.includes(key)) said.add(verdict.exec(line.slice(0, lineLength))?.[1]);
    }
    if (said.size !== 1) return unparseable;
    if (said.has("unharmful")) return { verdict: "allow" };
    return said.has("harmful") ? { verdict: "block" } : unparseable;
  };
}

const safetyFields = ["user safety:", "response safety:"];

/**
 * A line `{field}: safe` or `{field}: unsafe`, after the reasoning.
 *
 * The one parser never reads the other's field, but either of them that is
 * said twice, wherever, makes the answer contradict itself.
 */
function safetyLine(field: string): OutputParser {
  const verdict = new RegExp(`^${field}:[ \\t]*(safe|unsafe)[ \\t]*$`, "i");
  return (answer) => {
    const text = withoutThought(answer.replace(/<(\/?)think>/gi, "<$1think>"));
    if (text === undefined) return unparseable;
    const lower = text.toLowerCase();
    if (safetyFields.some((each) => lower.split(each).length > 2)) return unparseable;
    const lines = text.split(/[\n\r]+/u).map((line) => line.slice(0, lineLength).trim());
    const said = lines.flatMap((line) => verdict.exec(line)?.[1]?.toLowerCase() ?? []);
    if (said.length !== 1) return unparseable;
    if (said[0] === "safe") return { verdict: "allow" };
    const named = lines.find((line) => /^safety categories:/i.test(line));
    return { verdict: "block", categories: categories(named?.slice(named.indexOf(":") + 1)) };
  };
}

const lineLength = 200;
const opened = "<think>";
const closed = "</think>";

/**
 * The text outside `<think>…</think>`. A thought that was not opened began
 * before the answer, as templates do that open it for the model; one that is
 * not closed has no verdict after it.
 */
function withoutThought(answer: string): string | undefined {
  const kept: string[] = [];
  let rest = answer;
  const firstClose = rest.indexOf(closed);
  const firstOpen = rest.indexOf(opened);
  if (firstClose !== -1 && (firstOpen === -1 || firstClose < firstOpen)) {
    rest = rest.slice(firstClose + closed.length);
  }
  for (;;) {
    const open = rest.indexOf(opened);
    const before = open === -1 ? rest : rest.slice(0, open);
    if (before.includes(closed)) return undefined;
    kept.push(before);
    if (open === -1) return kept.join("\n");
    const close = rest.indexOf(closed, open);
    if (close === -1) return undefined;
    rest = rest.slice(close + closed.length);
  }
}
