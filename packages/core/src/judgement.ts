import type { JsonLimits } from "./json.js";
import { quoted } from "./naming.js";
import { snapshotObject } from "./parse.js";
import type {
  ApprovalRequest,
  Basis,
  DecisionRecord,
  JsonObject,
  Metadata,
  ResultBody,
  ToolContent,
} from "./protocol.js";
import { snapshotBody, snapshotContent, snapshotFacts } from "./result.js";
import { allow } from "./verdict.js";

export type Phase = DecisionRecord["phase"];

/** A provider's answer after core has read it. Whatever it was, it is one of the three decisions now. */
export class Judgement {
  readonly decision: "allow" | "deny" | "modify";
  readonly basis: Basis;
  readonly reason: string | undefined;
  readonly code: string | undefined;
  readonly metadata: Metadata | undefined;
  readonly replacement: ToolContent | undefined;
  readonly approval: ApprovalRequest | undefined;
  readonly args: JsonObject | undefined;
  readonly body: ResultBody | undefined;
  /** Who decided, where it was not the provider that was asked but one inside it. */
  readonly decidedBy: string | undefined;
  /** The records of the providers inside the one that was asked. */
  readonly records: readonly DecisionRecord[] | undefined;
  /** Whether any inside the one that was asked had a say, where it is made of several. */
  readonly counts: boolean | undefined;

  constructor(
    decision: "allow" | "deny" | "modify",
    basis: Basis,
    details: {
      reason?: string | undefined;
      code?: string | undefined;
      metadata?: Metadata | undefined;
      replacement?: ToolContent | undefined;
      approval?: ApprovalRequest | undefined;
      args?: JsonObject | undefined;
      body?: ResultBody | undefined;
      decidedBy?: string | undefined;
      records?: readonly DecisionRecord[] | undefined;
      counts?: boolean | undefined;
    },
  ) {
    // What was not given must not come from a polluted root prototype: neither a way to lift a
    // denial nor arguments in place of a rewritten result.
    Object.setPrototypeOf(details, null);
    this.decision = decision;
    this.basis = basis;
    this.reason = details.reason;
    this.code = details.code;
    this.metadata = details.metadata;
    this.replacement = details.replacement;
    this.approval = details.approval;
    this.args = details.args;
    this.body = details.body;
    this.decidedBy = details.decidedBy;
    this.records = details.records;
    this.counts = details.counts;
  }

  /** What becomes of a provider that did not answer as it should: always a DENY. */
  static fault(basis: "error" | "timeout" | "malformed", name: string): Judgement {
    return new Judgement("deny", basis, {
      reason: `guardrail ${quoted(name)} ${faultWords[basis]}`,
    });
  }
}
// A judgement may be what a promise resolves with, and must then have no `then` from anywhere.
Object.setPrototypeOf(Judgement.prototype, null);

const faultWords = {
  error: "failed",
  timeout: "did not answer in time",
  malformed: "gave no well-formed decision",
} as const;

export const allowed = new Judgement("allow", "policy", {});

/** Longer reasons are cut: the model reads them. */
const longestReason = 2_000;

/**
 * Read an answer, and make of everything that is not exactly one of the
 * protocol's shapes a DENY. This is the only place that turns what a provider
 * said into a decision.
 */
export function judge(answer: unknown, phase: Phase, name: string, limits: JsonLimits): Judgement {
  if (answer === allow()) return allowed;
  try {
    return read(fieldsOf(answer), phase, limits) ?? Judgement.fault("malformed", name);
  } catch {
    // A proxy's trap threw, or what it passed is not JSON.
    return Judgement.fault("malformed", name);
  }
}

type Fields = ReadonlyMap<string, unknown>;

/** The own data properties of an answer. An accessor or a symbol makes it no answer at all. */
function fieldsOf(answer: unknown): Fields {
  const fields = new Map<string, unknown>();
  for (const key of Reflect.ownKeys(answer as object)) {
    const property = Object.getOwnPropertyDescriptor(answer, key);
    if (typeof key !== "string" || property === undefined || !Object.hasOwn(property, "value")) {
      throw new TypeError("not plain data");
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

function read(fields: Fields, phase: Phase, limits: JsonLimits): Judgement | undefined {
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

  if (decision === "allow") return new Judgement("allow", "policy", common);
  if (decision === "deny") {
    return new Judgement("deny", "policy", {
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
    ? new Judgement("modify", "policy", {
        ...common,
        args: snapshotObject(fields.get("modifiedArgs"), limits),
      })
    : new Judgement("modify", "policy", {
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
    throw new TypeError("not an approval request");
  }
  return Object.freeze({ summary, expiresInMs });
}
