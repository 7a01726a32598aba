import assert from "node:assert";
import { didYouMean, isJsonObject, ownValue, quoted } from "@toolstile/core/provider";
import { assertJson } from "./json-shape.js";

/** The answers that a question takes. */
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
  assert.ok(
    isJsonObject(answer),
    `${where}: the answer must be a decision, received ${kindOf(answer)}.`,
  );
  const decision = ownValue(answer, "decision");
  const keys = shapes[phase].get(decision);
  const decisions = [...shapes[phase].keys()].join(", ");
  assert.ok(keys, `${where}: the decision is ${shown(decision)}. It can be: ${decisions}.`);
  for (const key of Reflect.ownKeys(answer)) assertMember(answer, key, keys, where);
  assertMembers(answer, where);
  if (decision === "deny") {
    const reason = ownValue(answer, "reason");
    assert.ok(
      typeof reason === "string" && reason.trim() !== "",
      `${where}: denied without a reason.`,
    );
  }
  if (decision === "modify" && phase === "call") {
    const modifiedArgs = ownValue(answer, "modifiedArgs");
    assert.ok(isJsonObject(modifiedArgs), `${where}: modifiedArgs is ${kindOf(modifiedArgs)}.`);
    assertJson(modifiedArgs, `${where}: modifiedArgs`);
  }
  if (decision === "modify" && phase === "result") {
    const body = ownValue(answer, "modifiedResult");
    assert.ok(isJsonObject(body), `${where}: modifiedResult is ${kindOf(body)}.`);
    assertContent(ownValue(body, "content"), `${where}: modifiedResult.content`);
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
    const value = ownValue(answer, key);
    assert.ok(
      value === undefined || typeof value === "string",
      `${where}: ${key} is ${kindOf(value)} and not text.`,
    );
  }
  const metadata = ownValue(answer, "metadata");
  assert.ok(
    metadata === undefined || isJsonObject(metadata),
    `${where}: metadata must be an object.`,
  );
  const replacement = ownValue(answer, "replacement");
  if (replacement !== undefined) assertContent(replacement, `${where}: replacement`);
  const approval = ownValue(answer, "approval");
  if (approval === undefined) return;
  assert.ok(
    isJsonObject(approval) && typeof ownValue(approval, "summary") === "string",
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
      isJsonObject(part) && typeof ownValue(part, "type") === "string",
      `${where} has a part without a type.`,
    );
  }
}

function shown(decision: unknown): string {
  return typeof decision === "string" ? quoted(decision) : kindOf(decision);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return value === undefined ? "absent" : `of type ${typeof value}`;
}
