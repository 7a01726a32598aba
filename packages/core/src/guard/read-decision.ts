import { snapshotBody, snapshotContent, snapshotFacts } from "../call/result.js";
import { quoted } from "../errors/names.js";
import { own } from "../json/own.js";
import { snapshotObject } from "../json/parse.js";
import { type JsonLimits, jsonFaults } from "../json/snapshot.js";
import type {
  ApprovalRequest,
  JsonObject,
  Metadata,
  ResultBody,
  ToolContent,
} from "../protocol/guardrail.js";
import type { Basis, DecisionRecord } from "../protocol/outcome.js";
import type { Trail } from "./trail.js";
import { allow } from "./verdicts.js";

export type Phase = DecisionRecord["phase"];

/** A provider's answer after core has read it. It is always one of the three decisions. */
export type CheckedDecision = Denial | Checked<"allow" | "modify">;

export type Denial = Checked<"deny">;

/** A DENY always has a reason, if only that of core. */
type Reasoned<Decision> = Decision extends "deny"
  ? { readonly reason: string }
  : { readonly reason?: string | undefined };

export class Checked<Decision extends "allow" | "deny" | "modify"> {
  readonly decision: Decision;
  readonly basis: Basis;
  readonly reason: Reasoned<Decision>["reason"];
  readonly code: string | undefined;
  readonly metadata: Metadata | undefined;
  readonly replacement: ToolContent | undefined;
  readonly approval: ApprovalRequest | undefined;
  readonly args: JsonObject | undefined;
  readonly body: ResultBody | undefined;
  /** The provider that decided, if it is one inside the provider that was asked. */
  readonly decidedBy: string | undefined;
  /** The records of the providers inside the one that was asked. */
  readonly records: Trail | undefined;
  /** For a provider that is made of several: true if one of them that counts was satisfied. */
  readonly counts: boolean | undefined;

  constructor(
    decision: Decision,
    basis: Basis,
    details: Reasoned<Decision> & {
      code?: string | undefined;
      metadata?: Metadata | undefined;
      replacement?: ToolContent | undefined;
      approval?: ApprovalRequest | undefined;
      args?: JsonObject | undefined;
      body?: ResultBody | undefined;
      decidedBy?: string | undefined;
      records?: Trail | undefined;
      counts?: boolean | undefined;
    },
  ) {
    // What was not given must not come from a polluted root prototype: neither a way to lift a
    // denial nor arguments in place of a rewritten result.
    this.decision = decision;
    this.basis = basis;
    this.reason = own(details, "reason") as Reasoned<Decision>["reason"];
    this.code = own(details, "code");
    this.metadata = own(details, "metadata");
    this.replacement = own(details, "replacement");
    this.approval = own(details, "approval");
    this.args = own(details, "args");
    this.body = own(details, "body");
    this.decidedBy = own(details, "decidedBy");
    this.records = own(details, "records");
    this.counts = own(details, "counts");
  }

  /** Makes the decision in place of an answer that failed: always a DENY. */
  static fault(basis: "error" | "timeout" | "malformed", name: string): Denial {
    return new Checked("deny", basis, {
      reason: `guardrail ${quoted(name)} ${faultWords[basis]}`,
    });
  }
}
// A promise may resolve with a decision, which must then have no `then` from anywhere.
Object.setPrototypeOf(Checked.prototype, null);

const faultWords = {
  error: "failed",
  timeout: "did not answer in time",
  malformed: "gave no well-formed decision",
} as const;

export const allowed = new Checked("allow", "policy", {});

/** Longer reasons are cut: the model reads them. */
const longestReason = 2_000;

/**
 * Reads an answer. Everything that is not exactly one of the protocol's shapes
 * becomes a DENY. This is the only place that turns a provider's answer into a
 * decision.
 */
export function readDecision(
  answer: unknown,
  phase: Phase,
  name: string,
  limits: JsonLimits,
): CheckedDecision {
  if (answer === allow()) return allowed;
  try {
    return read(fieldsOf(answer), phase, limits) ?? Checked.fault("malformed", name);
  } catch {
    // A proxy's trap threw, or a field is not JSON.
    return Checked.fault("malformed", name);
  }
}

type Fields = ReadonlyMap<string, unknown>;

/** Reads the own data properties of an answer. @throws JsonFault for an accessor or a symbol. */
function fieldsOf(answer: unknown): Fields {
  const fields = new Map<string, unknown>();
  for (const key of Reflect.ownKeys(answer as object)) {
    const property = Object.getOwnPropertyDescriptor(answer, key);
    if (typeof key !== "string" || property === undefined || !Object.hasOwn(property, "value")) {
      throw jsonFaults.not_json;
    }
    if (property.value !== undefined) fields.set(key, property.value);
  }
  return fields;
}

const fieldsOfDecision = {
  allow: ["decision", "reason", "metadata"],
  deny: ["decision", "reason", "code", "replacement", "metadata"],
  modify: ["decision", "reason", "metadata"],
} as const;

function read(fields: Fields, phase: Phase, limits: JsonLimits): CheckedDecision | undefined {
  const decision = fields.get("decision");
  if (decision !== "allow" && decision !== "deny" && decision !== "modify") return undefined;
  const known: string[] = [...fieldsOfDecision[decision]];
  if (decision === "deny" && phase !== "result") known.push("approval");
  if (decision === "modify" && phase === "call") known.push("modifiedArgs");
  if (decision === "modify" && phase === "result") known.push("modifiedResult");
  for (const key of fields.keys()) if (!known.includes(key)) return undefined;

  const reason = fields.get("reason") ?? undefined;
  const code = fields.get("code");
  if (!isOptionalString(reason) || !isOptionalString(code)) return undefined;
  const metadata = fields.has("metadata") ? snapshotFacts(fields.get("metadata")) : undefined;
  const common = { reason: reason?.slice(0, longestReason), code, metadata };

  if (decision === "allow") return new Checked("allow", "policy", common);
  if (decision === "deny") {
    return new Checked("deny", "policy", {
      ...common,
      reason: common.reason || "policy violation",
      replacement: fields.has("replacement")
        ? snapshotContent(fields.get("replacement"))
        : undefined,
      approval: fields.has("approval") ? readApproval(fields.get("approval")) : undefined,
    });
  }
  if (phase === "admit") return undefined;
  return phase === "call"
    ? new Checked("modify", "policy", {
        ...common,
        args: snapshotObject(fields.get("modifiedArgs"), limits),
      })
    : new Checked("modify", "policy", {
        ...common,
        body: snapshotBody(fields.get("modifiedResult")),
      });
}

function isOptionalString(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function readApproval(value: unknown): ApprovalRequest {
  const fields = fieldsOf(value);
  const summary = fields.get("summary");
  const expiresInMs = fields.get("expiresInMs");
  if (
    typeof summary !== "string" ||
    !(expiresInMs === undefined || (typeof expiresInMs === "number" && expiresInMs > 0)) ||
    fields.size > (expiresInMs === undefined ? 1 : 2)
  ) {
    throw jsonFaults.not_json;
  }
  return Object.freeze({ summary, expiresInMs });
}
