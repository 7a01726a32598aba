import type { ToolCall, ToolResult } from "@toolstile/core";
import { own } from "@toolstile/core/host";
import { valuesAt } from "../labels/pointer.js";
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
  const roots = rootsOf(result);
  const isTrusted =
    integrity === "trusted" &&
    // The words of a failure are whoever's made the tool fail.
    !result.isError &&
    !terms.fields.some(
      (field) => field.integrity !== "trusted" && valuesOf(field, roots).length > 0,
    );
  if (!holdsText(result)) return;
  if (!isTrusted) session.fall(source);
  const authors = new Set<string>();
  for (const field of result.isError ? [] : terms.fields) {
    const { integrity, kind, of } = field;
    if (integrity === "untrusted" || kind === undefined) continue;
    for (const value of valuesOf(field, roots)) {
      if (integrity === "trusted") session.fields.add(kind, of, value, source);
      else authors.add(session.origins.add(kind, of, value, `${kind}:${value}`) ?? source);
    }
  }
  // Where authors stand in a result, each of them is a source of its own.
  for (const each of authors.size > 0 ? authors : [source]) session.reads(confidentiality, each);
}

function valuesOf({ pointer, lines, after }: Field, roots: readonly unknown[]): readonly string[] {
  return roots.flatMap((root) =>
    valuesAt(root, pointer, mostValues).flatMap((value) => {
      if (typeof value === "number") return String(value);
      if (typeof value !== "string") return [];
      if (lines !== true) return value;
      const start = after === undefined ? 0 : value.indexOf(after) + after.length;
      return value.slice(start).split("\n", mostValues);
    }),
  );
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

function parsed(text: string): unknown {
  if (!/^\s*[{["\d]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** True if a result can hold words: numbers and signs tell nobody what to do. A picture may. */
function holdsText(result: ToolResult): boolean {
  const { content } = result;
  if (result.isError || typeof content !== "string" || /\p{L}/u.test(content)) return true;
  const structured = own(result, "structured");
  if (structured === undefined || structured === null || typeof structured === "number")
    return false;
  return typeof structured !== "boolean" && /\p{L}/u.test(JSON.stringify(structured));
}
