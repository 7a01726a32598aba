import type { ToolHookInput } from "./sdk.js";

/** A replacement for a tool's response, and the check that the model reads it. */
export interface Replacement {
  readonly response: unknown;
  readonly expectation: Expectation;
}

/** True if the model would read the replacement. */
export type Expectation = (read: unknown) => boolean;

/**
 * A text in place of a tool's response.
 *
 * The SDK takes any response of an MCP server's tool. For its own tools it
 * takes one of the tool's own shape, and without a word keeps the old one in
 * place of any other: so all texts of the old one become this text, and its
 * numbers and marks are blanked.
 */
export function textInPlace(input: ToolHookInput, text: string): Replacement {
  const response = isMcp(input) ? text : blanked(input.tool_response, text);
  const isGone = without(input.tool_response, [text, ...textsOf(response)].join("\n"));
  const expectation: Expectation = (read) =>
    isGone(read) && linesOf(text).every((line) => isIn(read, line));
  return { response, expectation };
}

/** The judged response, where the SDK would take it; undefined where it would not. */
export function rewrittenInPlace(input: ToolHookInput, value: unknown): Replacement | undefined {
  const old = input.tool_response;
  if (!isMcp(input) && !hasShapeOf(old, value)) return undefined;
  return { response: value, expectation: without(old, textsOf(value).join("\n")) };
}

/** Expects that the model reads nothing of the old response but what the new one has as well. */
function without(old: unknown, kept: string): Expectation {
  const gone = textsOf(old)
    .flatMap(linesOf)
    .filter((line) => line.length >= shortest && !kept.includes(line));
  return (read) => !gone.some((line) => isIn(read, line));
}

/** A shorter line is found in any text. */
const shortest = 4;

function isMcp({ mcp_server, tool_name }: ToolHookInput): boolean {
  return mcp_server !== undefined || tool_name.startsWith("mcp__");
}

function blanked(old: unknown, text: string): unknown {
  if (typeof old === "string") return text;
  if (typeof old === "number") return 0;
  if (typeof old === "boolean") return false;
  if (typeof old !== "object" || old === null) return old;
  // One of a list is enough to say it.
  if (Array.isArray(old)) return old.slice(0, 1).map((each) => blanked(each, text));
  const members = Object.entries(old).filter(([key]) => isName(key));
  return Object.fromEntries(
    members.map(([key, each]) => [
      key,
      // The SDK's own word for which of several shapes this is.
      key === "type" && isName(each) ? each : blanked(each, text),
    ]),
  );
}

/** True of the name of a member or a type. Any other text may be what the tool found. */
function isName(value: unknown): boolean {
  return typeof value === "string" && /^[a-z_$][\w$-]{0,60}$/i.test(value);
}

/** The same members, each of the same kind: what one tool's schema says of the old is so of the new. */
function hasShapeOf(old: unknown, value: unknown): boolean {
  if (typeof old !== typeof value || Array.isArray(old) !== Array.isArray(value)) return false;
  if (typeof old !== "object" || old === null) return (old === null) === (value === null);
  if (value === null) return false;
  if (Array.isArray(old)) {
    return (value as unknown[]).every((each) => old.some((one) => hasShapeOf(one, each)));
  }
  const before = new Map<string, unknown>(Object.entries(old));
  const after = new Map<string, unknown>(Object.entries(value as object));
  if (before.size !== after.size) return false;
  return [...before].every(([key, each]) => {
    if (!after.has(key)) return false;
    return key === "type" ? each === after.get(key) : hasShapeOf(each, after.get(key));
  });
}

function isIn(read: unknown, line: string): boolean {
  return textsOf(read).some((text) => text.includes(line));
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    ...(Array.isArray(value) || isName(key) ? [] : [key]),
    ...textsOf(each),
  ]);
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
