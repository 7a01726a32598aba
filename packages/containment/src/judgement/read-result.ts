import type { ToolCall, ToolResult } from "@toolstile/core";
import { type CallHead, own } from "@toolstile/core/provider";
import { mayLeadSomewhere, valuesAt } from "../labels/pointer.js";
import type { Field, Terms } from "../labels/terms.js";
import type { Session } from "../session/session.js";

const mostValues = 4_096;

/**
 * Lets a session fall by what it reads, and keeps the values that vouch for later calls.
 *
 * It may be told of one result again: a label only falls.
 */
export function readResult(
  session: Session,
  terms: Terms,
  call: ToolCall,
  result: ToolResult,
): void {
  const {
    integrity = "untrusted",
    confidentiality = "tenant",
    source = call.toolName,
  } = terms.label;
  session.readOne();
  if (isEmpty(result)) return;
  const roots = rootsOf(result);
  const isTrusted =
    integrity === "trusted" &&
    // The words of a failure are whoever's made the tool fail.
    !result.isError &&
    !terms.fields.some(
      ({ integrity, pointer }) =>
        integrity !== "trusted" && shownIn(result).some((root) => mayLeadSomewhere(root, pointer)),
    );
  if (!isTrusted && !isOneNumber(result)) session.fall(source);
  const authors = new Set<string>();
  for (const field of result.isError ? [] : terms.fields) {
    const { integrity, kind, of } = field;
    if (integrity === "untrusted" || kind === undefined) continue;
    const { values, isPartial } = readField(field, roots);
    if (integrity === "trusted") {
      for (const value of values) session.fields.add(kind, of, value, source);
      continue;
    }
    for (const value of values) {
      authors.add(session.origins.add(kind, of, value, `${kind}:${value}`) ?? source);
    }
    // What has no author is not the others'.
    if (isPartial) authors.add(source);
  }
  // Where authors stand in a result, each of them is a source of its own.
  for (const each of authors.size > 0 ? authors : [source]) session.reads(confidentiality, each);
}

/** Lets a session fall by a result that was not shown to it as a whole. */
export function readUnseen(session: Session, terms: Terms, { toolName }: CallHead): void {
  const { integrity, confidentiality = "tenant", source = toolName } = terms.label;
  const isTrusted = terms.fields.every((field) => field.integrity === "trusted");
  if (integrity !== "trusted" || !isTrusted) session.fall(source);
  session.reads(confidentiality, source);
}

interface FieldValues {
  readonly values: readonly string[];
  /** True if it is not the field of everything in the result. */
  readonly isPartial: boolean;
}

function readField({ pointer, lines, after }: Field, roots: readonly unknown[]): FieldValues {
  const values: string[] = [];
  let isPartial = false;
  for (const root of roots) {
    const found = valuesAt(root, pointer, mostValues);
    isPartial ||= found.lacksOne || found.isCut;
    for (const value of found.values) {
      if (typeof value === "number") values.push(String(value));
      if (typeof value !== "string") continue;
      if (lacks(value, after)) isPartial = true;
      else for (const each of lines === true ? linesOf(value, after) : [value]) values.push(each);
    }
  }
  return { values, isPartial };
}

function lacks(value: string, after: string | undefined): boolean {
  return after !== undefined && !value.includes(after);
}

function linesOf(value: string, after: string | undefined): readonly string[] {
  const start = after === undefined ? 0 : value.indexOf(after) + after.length;
  return value.slice(start).split("\n", mostValues);
}

/** The structured result, or each of its texts: as JSON, where it is JSON. */
function rootsOf(result: ToolResult): readonly unknown[] {
  const structured = own(result, "structured");
  if (structured !== undefined) return [structured];
  const { content } = result;
  if (typeof content === "string") return [parsed(content)];
  return content.flatMap((part) => {
    const text = own(part, "text");
    return typeof text === "string" ? [parsed(text)] : [];
  });
}

/** Stands for a part of a result that has no text to look into. */
const unreadable = "a part that is no text";

/** All that a model may read: also the texts beside a structured result, and pictures. */
function shownIn(result: ToolResult): readonly unknown[] {
  const { content } = result;
  const structured = own(result, "structured");
  const shown = structured === undefined ? [] : [structured];
  if (typeof content === "string") return [...shown, parsed(content)];
  const parts = content.map((part) => {
    const text = own(part, "text");
    return typeof text === "string" ? parsed(text) : unreadable;
  });
  return [...shown, ...parts];
}

function parsed(text: string): unknown {
  if (!/^\s*(?:[{["\d-]|null|true|false)/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isEmpty(result: ToolResult): boolean {
  return !result.isError && result.content === "" && own(result, "structured") === undefined;
}

/** A longer number may be that of a telephone, and three dots make an address. */
const shortNumber = /^\s*[-+]?\d{1,4}(?:[.,]\d{1,9})?\s*[%€$£]?\s*$/;

/** True for a result that is one short number: it tells nobody what to do, nor where to send something. */
function isOneNumber(result: ToolResult): boolean {
  const { content } = result;
  if (result.isError || typeof content !== "string") return false;
  if (content !== "" && !shortNumber.test(content)) return false;
  const structured = own(result, "structured");
  return structured === undefined || structured === null || shortNumber.test(String(structured));
}
