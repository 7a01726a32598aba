import type {
  GuardrailProvider,
  GuardrailResult,
  ResultDecision,
  ResultGuardrail,
  ToolCall,
  ToolDefinition,
  ToolResult,
} from "@toolstile/core";
import { type Awaitable, ToolstileError } from "@toolstile/core/provider";
import { call } from "./call.js";
import { inTime } from "./in-time.js";
import type { KitLimit } from "./limits.js";
import { assertVerdict } from "./verdict-shape.js";

/** The guard under test: a provider, or a guardrail that judges results only. */
export type Guard = Partial<GuardrailProvider> & Partial<ResultGuardrail>;
export type Verdict = GuardrailResult | ResultDecision;

/** One call, or one call and its result, and what the guard should say to it. */
export interface Question {
  /** The name that a failure gives it. */
  readonly where: string;
  readonly expected: "allow" | "deny" | "modify";
  readonly call: ToolCall;
  readonly result: ToolResult | undefined;
}

/** A guard under test, and everything that a sentence may ask it. */
export interface Kit {
  readonly makeGuard: () => Awaitable<object>;
  readonly questions: readonly Question[];
  readonly tools: readonly ToolDefinition[];
  /** Members of the guard's own, which the protocol does not know. */
  readonly members: readonly string[];
  readonly withinMs: number;
}

/** One thing that is true of every good guard. */
export interface Sentence {
  readonly name: string;
  /** The abilities without which a guard cannot be held to it. */
  readonly needs?: readonly KitLimit[];
  readonly check: (kit: Kit) => Promise<void>;
}

/** Sentences that hold of cases with one expectation. */
export type Decisions = readonly (Sentence & { readonly of: Question["expected"] })[];

/** A fresh guard that was told of the tools, as a runner does at load. */
export async function freshGuard(kit: Kit): Promise<Guard> {
  const guard: Guard = await kit.makeGuard();
  const told = new Set<string>();
  for (const tool of [...kit.tools, ...kit.questions.map((question) => question.call.tool)]) {
    if (tool === undefined || told.has(tool.name)) continue;
    told.add(tool.name);
    guard.register?.(tool);
  }
  return guard;
}

/** The guard's answer, unchecked. It rejects if the guard throws. */
export async function ask(guard: Guard, question: Question): Promise<Verdict> {
  const { call, result } = question;
  if (result === undefined) return (guard as GuardrailProvider).evaluate(call);
  return (guard as ResultGuardrail).evaluateResult(call, result);
}

/** The guard's answer, in time and in one of the shapes. */
export async function answer(kit: Kit, guard: Guard, question: Question): Promise<Verdict> {
  const verdict = await inTime(kit.withinMs, () => ask(guard, question));
  assertVerdict(verdict, question.result === undefined ? "call" : "result", question.where);
  return verdict;
}

/** A list of cases, where one may stand for a list of one. */
export function listed<T>(cases: T | readonly T[] | undefined): readonly T[] {
  if (cases === undefined) return [];
  return Array.isArray(cases) ? cases : [cases as T];
}

/** Refuse cases that the kit did not make itself: half a call would test half a guard. */
export function checkCall(value: unknown, where: string): asserts value is ToolCall {
  const known = typeof value === "object" && value !== null && !Array.isArray(value);
  if (known && Object.keys(call()).every((key) => Object.hasOwn(value, key))) return;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `${where} must be a tool call. Make it with call().`,
  );
}
