import assert from "node:assert";
import { didYouMean, quoted } from "@toolstile/core";
import { assertJson } from "./json-shape.js";

/** Which answers a question takes. */
export type Phase = "call" | "admit" | "result";

const said = ["decision", "reason", "metadata"];
const stops = [...said, "code", "replacement"];
const shapes: Record<Phase, ReadonlyMap<unknown, readonly string[]>> = {
  call: new Map([
    ["allow", said],
    ["deny", [...stops, "approval"]],
    ["modify", [...said, "modifiedArgs"]],
  ]),
  admit: new Map([
    ["allow", said],
    ["deny", stops],
  ]),
  result: new Map([
    ["allow", said],
    ["deny", stops],
    ["modify", [...said, "modifiedResult"]],
  ]),
};

/** Fail unless the answer is exactly one of the phase's shapes. */
export function assertVerdict(answer: unknown, phase: Phase, where: string): void {
  assert.ok(isObject(answer), `${where}: the answer is no verdict but ${kindOf(answer)}.`);
  const decision = own(answer, "decision");
  const keys = shapes[phase].get(decision);
  const decisions = [...shapes[phase].keys()].join(", ");
  assert.ok(keys, `${where}: the decision is ${shown(decision)}. It can be: ${decisions}.`);
  for (const key of Reflect.ownKeys(answer)) assertMember(answer, key, keys, where);
  assertMembers(answer, where);
  if (decision === "deny") {
    const reason = own(answer, "reason");
    assert.ok(
      typeof reason === "string" && reason.trim() !== "",
      `${where}: denied without a reason.`,
    );
  }
  if (decision === "modify" && phase === "call") {
    const modifiedArgs = own(answer, "modifiedArgs");
    assert.ok(isObject(modifiedArgs), `${where}: modifiedArgs is ${kindOf(modifiedArgs)}.`);
    assertJson(modifiedArgs, `${where}: modifiedArgs`);
  }
  if (decision === "modify" && phase === "result") {
    const body = own(answer, "modifiedResult");
    assert.ok(isObject(body), `${where}: modifiedResult is ${kindOf(body)}.`);
    assertContent(own(body, "content"), `${where}: modifiedResult.content`);
  }
}

function assertMember(
  answer: object,
  key: string | symbol,
  known: readonly string[],
  where: string,
): void {
  const property = Object.getOwnPropertyDescriptor(answer, key);
  assert.ok(
    typeof key === "string" && property !== undefined && Object.hasOwn(property, "value"),
    `${where}: a verdict is plain data: ${quoted(String(key))} is none.`,
  );
  assert.ok(
    known.includes(key) || property.value === undefined,
    `${where}: a verdict of this decision has no member ${quoted(key)}.${didYouMean(key, known)}`,
  );
}

function assertMembers(answer: object, where: string): void {
  for (const key of ["reason", "code"]) {
    const value = own(answer, key);
    assert.ok(
      value === undefined || typeof value === "string",
      `${where}: ${key} is ${kindOf(value)} and not text.`,
    );
  }
  const metadata = own(answer, "metadata");
  assert.ok(metadata === undefined || isObject(metadata), `${where}: metadata is no object.`);
  const replacement = own(answer, "replacement");
  if (replacement !== undefined) assertContent(replacement, `${where}: replacement`);
  const approval = own(answer, "approval");
  if (approval === undefined) return;
  assert.ok(
    isObject(approval) && typeof own(approval, "summary") === "string",
    `${where}: approval has no summary.`,
  );
}

/** Fail unless it is text, or a list of parts that each name their type. */
function assertContent(content: unknown, where: string): void {
  if (typeof content === "string") return;
  assert.ok(
    Array.isArray(content),
    `${where} is ${kindOf(content)} and not text or a list of parts.`,
  );
  for (const part of content) {
    assert.ok(
      isObject(part) && typeof own(part, "type") === "string",
      `${where} has a part without a type.`,
    );
  }
}

/** A property of its own, so that nothing planted on a prototype is taken for an answer. */
function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shown(decision: unknown): string {
  return typeof decision === "string" ? quoted(decision) : kindOf(decision);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return value === undefined ? "absent" : `of type ${typeof value}`;
}
