import { createHmac, randomBytes } from "node:crypto";
import type { CallRecord, DecisionRecord, ToolOutcome } from "@toolstile/core";
import { canonicalJson } from "@toolstile/core/provider";
import { ascii, escaped, quote } from "../format/line.js";
import { wholeMs } from "../format/time.js";
import { errorType } from "./error-type.js";
import type { SessionNumbers } from "./session-numbers.js";

/** Characters of a name or an id that are recorded. The model chooses some of them. */
const longestName = 256;
const longestReason = 500;
const longestMetadata = 4_096;
const longestPayload = 1 << 20;
const saltBytes = 32;

export interface RecordTextOptions {
  /** The place of arguments and results: in records, beside them, or nowhere. */
  readonly payloads: "inside" | "beside" | "nowhere";
  readonly metadata: boolean;
  readonly commit: (text: string) => string;
  readonly sessions: SessionNumbers;
}

export type RecordKind = "intent" | "outcome";

/** Writes what a record says of a call, as JSON members in ASCII. */
export class RecordText {
  readonly #options: RecordTextOptions;
  /** Plain allows are shared objects in core: their texts are made once. */
  readonly #texts = new WeakMap<DecisionRecord, string>();
  /** Facts of arguments whose intent was recorded. The outcome has the same arguments. */
  readonly #intended = new WeakMap<object, Fact>();
  #payload: string | undefined;

  constructor(options: RecordTextOptions) {
    this.#options = options;
  }

  /** A record that cannot be read still stands in the log, with its run's id and `unreadable`. */
  of(kind: RecordKind, record: CallRecord, time: number | null): string {
    this.#payload = undefined;
    const start = `"kind":"${kind}","time":${time}`;
    try {
      return start + this.#call(record) + this.#decided(record) + this.#facts(record);
    } catch {
      const runId: unknown = record?.runId;
      return `${start}${member("runId", typeof runId === "string" ? runId : undefined)},"unreadable":true`;
    }
  }

  /** The payload to keep beside the record whose text was made last. */
  payload(): string | undefined {
    return this.#payload;
  }

  #call(record: CallRecord): string {
    const { context } = record;
    return (
      `,"runId":"${name(record.runId)}"${member("turnId", record.turnId)},"callId":"${name(record.callId)}"` +
      this.#session(context.sessionId) +
      member("principal", context.principal) +
      member("tenant", context.tenant) +
      member("traceparent", context.traceparent) +
      member("agentName", record.agentName) +
      `,"requestedName":"${name(record.requestedName)}"${member("toolName", record.toolName)}`
    );
  }

  #session(id: string | undefined): string {
    if (id === undefined) return "";
    const key = cut(id, longestName);
    const { seq, forgotten } = this.#options.sessions.next(key);
    const note = forgotten > 0 ? `,"forgotten":${forgotten}` : "";
    return `,"session":{"id":"${escaped(key)}","seq":${seq}${note}}`;
  }

  #decided({ outcome, decisions }: CallRecord): string {
    let texts = "";
    for (const decision of decisions) {
      texts = texts === "" ? this.#decision(decision) : `${texts},${this.#decision(decision)}`;
    }
    return `${outcome === undefined ? "" : outcomeText(outcome)},"decisions":[${texts}]`;
  }

  #decision(decision: DecisionRecord): string {
    const known = this.#texts.get(decision);
    if (known !== undefined) return known;
    // Its own properties only: what is planted on the prototype is not part of a decision.
    const own: DecisionRecord = Object.assign(Object.create(null), decision);
    const { code, reason, metadata } = own;
    const text =
      `{"provider":"${name(own.provider)}","phase":"${name(own.phase)}","decision":"${name(own.decision)}","basis":"${name(own.basis)}"` +
      member("mode", own.mode) +
      member("code", code) +
      reasonMember(reason) +
      `${this.#metadata(metadata)}}`;
    // What says more than "allow" is made for one call only.
    const isPlain = code === undefined && reason === undefined && metadata === undefined;
    if (isPlain && Object.isFrozen(decision)) this.#texts.set(decision, inOnePiece(text));
    return text;
  }

  #metadata(metadata: unknown): string {
    if (!this.#options.metadata || metadata === undefined) return "";
    const text = canonical(metadata);
    return `,"metadata":${text === undefined || text.length > longestMetadata ? "null" : ascii(text)}`;
  }

  #facts(record: CallRecord): string {
    const { outcome, times } = record;
    const used = record.args ?? outcome?.usedArgs;
    const body =
      outcome === undefined
        ? undefined
        : { content: outcome.result.content, structured: outcome.result.structured };
    const salt = this.#options.payloads === "beside" ? randomBytes(saltBytes) : undefined;
    const askedFact = this.#fact(record.askedArgs, salt, outcome === undefined);
    const usedFact =
      used === record.askedArgs ? askedFact : this.#fact(used, salt, outcome === undefined);
    const resultFact = this.#fact(body, salt, false);
    const payloads =
      this.#options.payloads === "nowhere"
        ? ""
        : facts(askedFact?.payload, usedFact?.payload, resultFact?.payload);
    if (salt !== undefined) {
      this.#payload = `"salt":"${salt.toString("hex")}","payloads":{${payloads}}`;
    }
    return (
      `,"digests":{${facts(askedFact?.digest, usedFact?.digest, resultFact?.digest)}}` +
      (salt === undefined ? "" : ',"salted":true') +
      (this.#options.payloads === "inside" ? `,"payloads":{${payloads}}` : "") +
      `,"times":{"askedAt":${wholeMs(times.askedAt)}${moment("dispatchedAt", times.dispatchedAt)}${moment("settledAt", times.settledAt)}}` +
      member("policyVersion", record.policyVersion)
    );
  }

  /** The commitment to a value, and the value itself where payloads are kept. Null for what JSON cannot hold. */
  #fact(
    value: object | undefined,
    salt: Uint8Array | undefined,
    isIntent: boolean,
  ): Fact | undefined {
    if (value === undefined) return undefined;
    const intended = salt === undefined ? this.#intended.get(value) : undefined;
    if (intended !== undefined) return intended;
    const text = canonical(value);
    if (text === undefined) return { digest: "null", payload: "null" };
    const commitment =
      salt === undefined
        ? this.#options.commit(text)
        : createHmac("sha256", salt).update(text).digest("hex");
    const isKept = this.#options.payloads !== "nowhere" && text.length <= longestPayload;
    const fact = { digest: `"${commitment}"`, payload: isKept ? ascii(text) : "null" };
    // Only values that cannot change in the meantime.
    if (isIntent && salt === undefined && Object.isFrozen(value)) this.#intended.set(value, fact);
    return fact;
  }
}

interface Fact {
  readonly digest: string;
  readonly payload: string;
}

function facts(asked: string | undefined, used: string | undefined, result: string | undefined) {
  let text = asked === undefined ? "" : `"asked":${asked}`;
  if (used !== undefined) text += `${text === "" ? "" : ","}"used":${used}`;
  if (result !== undefined) text += `${text === "" ? "" : ","}"result":${result}`;
  return text;
}

function outcomeText(outcome: ToolOutcome): string {
  let text = `,"status":"${name(outcome.status)}","executed":${outcome.executed === "unknown" ? '"unknown"' : outcome.executed === true}`;
  if (outcome.status === "denied" || outcome.status === "withheld") {
    text += `${member("basis", outcome.basis)}${member("decidedBy", outcome.decidedBy)}`;
  }
  if (Object.hasOwn(outcome, "code") && "code" in outcome) text += member("code", outcome.code);
  if (!isDecided(outcome) && "reason" in outcome) text += reasonMember(outcome.reason);
  // The text of a tool's error may quote arguments and secrets; its type does not.
  if (outcome.status === "failed") text += `,"errorType":${quote(errorType(outcome.error))}`;
  const { modifiedBy } = outcome;
  return `${text},"modifiedBy":[${modifiedBy.length === 0 ? "" : modifiedBy.map((by) => `"${name(by)}"`).join(",")}]`;
}

/** True if a decision on record stopped the call, or nothing did. Its reason stands there. */
function isDecided(outcome: ToolOutcome): boolean {
  if (outcome.status === "invalid" || outcome.status === "not_found") return false;
  if (outcome.status !== "denied" && outcome.status !== "withheld") return true;
  const { decidedBy } = outcome;
  return outcome.decisions.some((each) => each.decision === "deny" && each.provider === decidedBy);
}

function member(key: string, value: string | undefined): string {
  return value === undefined ? "" : `,"${key}":"${name(value)}"`;
}

function reasonMember(reason: string | undefined): string {
  return reason === undefined ? "" : `,"reason":"${escaped(cut(reason, longestReason))}"`;
}

function moment(key: string, value: number | undefined): string {
  return value === undefined ? "" : `,"${key}":${wholeMs(value)}`;
}

function name(text: string): string {
  return escaped(cut(text, longestName));
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** A text that V8 keeps as a tree of its pieces is walked each time that it is written; one that was decoded is not. */
function inOnePiece(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

function canonical(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}
