import type { Meter } from "../cost/meter.js";
import { memberChecks, ownSteps } from "../cost/weights.js";
import type { SchemaNode } from "../graph/schema-node.js";
import { Failure } from "../violations/failure.js";
import type { Members } from "./members.js";

/** A rule's verdict on a value of the kind that the rule is about: the failure, or nothing. */
export type Rule = (value: never) => Failure | undefined;

/** The kinds of values that have rules of their own, in the order in which they are asked. */
export type Kind = "number" | "string" | "array" | "object";

export interface Rules extends Readonly<Record<Kind, readonly Rule[]>> {
  /** The rules for values of any kind. */
  readonly any: readonly Rule[];
}

const typeBits = new Map([
  ["number", 1],
  ["string", 2],
  ["array", 4],
  ["object", 8],
  ["integer", 16],
  ["boolean", 32],
  ["null", 64],
]);

/** The types that a value has, as bits. */
function typesOf(value: unknown): number {
  switch (typeof value) {
    case "number":
      if (Number.isInteger(value)) return 1 | 16;
      return Number.isFinite(value) ? 1 : 0;
    case "string":
      return 2;
    case "boolean":
      return 32;
    case "object":
      if (value === null) return 64;
      return Array.isArray(value) ? 4 : 8;
    default:
      return 0;
  }
}

/** The check of one schema of a graph. */
export class NodeCheck {
  /** True if it takes any value. */
  readonly isOpen: boolean;
  /** True if it stands where it is used, and takes no value. */
  readonly isPlainFalse: boolean;
  private readonly never: boolean;
  private readonly meter: Meter;
  private readonly members: Members;
  private readonly steps: number;
  private readonly memberSteps: number;
  private readonly type: unknown;
  /** 0 if any type will do. */
  private readonly types: number;
  /** The bit of the one type whose rules come before the word that a value is not of it; else 0. */
  private readonly late: number;
  private rules: Rules | undefined;

  constructor(node: SchemaNode, meter: Meter, members: Members) {
    this.never = node.never;
    this.isPlainFalse = node.never && !node.target;
    this.isOpen = !node.never && [node.assertions, node.one, node.lists, node.maps].every(isEmpty);
    this.meter = meter;
    this.members = members;
    this.steps = ownSteps(node);
    this.memberSteps = memberChecks(node);
    this.type = node.assertions.get("type");
    const names = this.type === undefined ? [] : [this.type].flat();
    this.types = names.reduce<number>((bits, name) => bits | (typeBits.get(String(name)) ?? 0), 0);
    this.late = names.length === 1 && this.types <= 8 ? this.types : 0;
  }

  /** Rules may lead back to this very check, so they are made when all checks are there. */
  learn(rules: Rules): void {
    this.rules = rules;
  }

  check(value: unknown): Failure | undefined {
    if (this.never) return new Failure("false schema");
    const rules = this.rules as Rules;
    const types = typesOf(value);
    const steps = types === 8 ? this.stepsFor(value as object) : this.steps;
    this.meter.take(steps);
    const isOther = this.types !== 0 && (types & this.types) === 0;
    const late = isOther && this.late !== 0 && rules[kindOf(this.late) as Kind].length > 0;
    if (isOther && !late) return this.otherType();
    const failure = firstFailure(rules.any, value);
    if (failure !== undefined) return failure;
    const kind = kindOf(types);
    if (late && (kind === undefined || (types & 15) > this.late)) return this.otherType();
    const found = kind && firstFailure(rules[kind], value);
    return found ?? (late ? this.otherType() : undefined);
  }

  private stepsFor(value: object): number {
    if (this.memberSteps === 0) return this.steps;
    return this.steps + this.memberSteps * this.members.of(value).length;
  }

  private otherType(): Failure {
    return new Failure("type", { type: this.type });
  }
}

function kindOf(types: number): Kind | undefined {
  if (types & 1) return "number";
  if (types === 2) return "string";
  if (types === 4) return "array";
  return types === 8 ? "object" : undefined;
}

function firstFailure(rules: readonly Rule[], value: unknown): Failure | undefined {
  for (const rule of rules) {
    const failure = rule(value as never);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function isEmpty(map: ReadonlyMap<string, unknown>): boolean {
  return map.size === 0;
}
