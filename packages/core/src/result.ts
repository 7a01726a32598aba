import { type JsonLimits, snapshot } from "./json.js";
import { checkOptions } from "./naming.js";
import type {
  ContentPart,
  JsonValue,
  Metadata,
  ResultBody,
  ToolContent,
  ToolResult,
} from "./protocol.js";
import { own } from "./request.js";

/** What a tool answered, with all that it claims about itself. */
export interface ClaimedResult extends ResultBody {
  /** Whose answer it says it is. Absent: the call's that it was given. */
  readonly callId?: string | undefined;
  readonly name?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly receipt?: string | undefined;
  readonly raw?: unknown;
}

const claims = ["content", "structured", "callId", "name", "isError", "receipt", "raw"];

/** Shared by all installed copies of this package. */
const claimed = Symbol.for("toolstile.result");

/**
 * Say exactly what the model shall read, in place of a plain return value.
 *
 * For tools that answer in content parts, that report an error without
 * throwing, or that pass on the answer of another system together with the
 * identity it claims.
 */
export function toolResult(result: ClaimedResult): ClaimedResult {
  checkOptions("toolResult()", result, claims);
  return new Claim(result);
}

/** All fields are its own: one that was not given cannot come from anywhere else. */
class Claim implements ClaimedResult {
  readonly content: ToolContent;
  readonly structured: JsonValue | undefined;
  readonly callId: string | undefined;
  readonly name: string | undefined;
  readonly isError: boolean | undefined;
  readonly receipt: string | undefined;
  readonly raw: unknown;
  readonly [claimed] = true;

  constructor(result: ClaimedResult) {
    this.content = own(result, "content") as ToolContent;
    this.structured = own(result, "structured");
    this.callId = own(result, "callId");
    this.name = own(result, "name");
    this.isError = own(result, "isError");
    this.receipt = own(result, "receipt");
    this.raw = own(result, "raw");
    Object.freeze(this);
  }
}
// An asynchronous tool's promise resolves with it, and it must then have no `then` from anywhere.
Object.setPrototypeOf(Claim.prototype, null);

/** Read what a tool returned. @throws where JSON cannot hold it. */
export function readResult(value: unknown, callId: string, name: string): ToolResult {
  if (typeof value === "object" && value !== null && Object.hasOwn(value, claimed)) {
    const said = value as ClaimedResult;
    for (const text of [said.callId, said.name, said.receipt]) {
      if (text !== undefined && typeof text !== "string") throw new TypeError("not a result");
    }
    if (said.isError !== undefined && typeof said.isError !== "boolean") {
      throw new TypeError("not a result");
    }
    return new Result(
      said.callId ?? callId,
      said.name ?? name,
      said.isError === true,
      snapshotContent(said.content),
      said.structured === undefined ? undefined : (throughJson(said.structured) as JsonValue),
      said.receipt,
      said.raw,
    );
  }
  if (typeof value === "string") return new Result(callId, name, false, value);
  if (value === undefined) return new Result(callId, name, false, "");
  if (value instanceof Map || value instanceof Set) {
    // JSON.stringify makes {} of it, and what it held would be lost without a word.
    throw new TypeError("JSON cannot hold it");
  }
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("JSON cannot hold it");
  return new Result(callId, name, false, text, freezeJson(JSON.parse(text) as JsonValue));
}

/** A tool's result as judges and callers see it, frozen. */
export class Result implements ToolResult {
  readonly callId: string;
  readonly name: string;
  readonly isError: boolean;
  readonly content: ToolContent;
  readonly structured: JsonValue | undefined;
  readonly receipt: string | undefined;
  readonly raw: unknown;

  constructor(
    callId: string,
    name: string,
    isError: boolean,
    content: ToolContent,
    structured?: JsonValue,
    receipt?: string,
    raw?: unknown,
  ) {
    this.callId = callId;
    this.name = name;
    this.isError = isError;
    this.content = content;
    this.structured = structured;
    this.receipt = receipt;
    this.raw = raw;
    Object.freeze(this);
  }

  /** The same identity with another body; what the tool passed along beside the old one is gone. */
  static rewritten(result: ToolResult, body: ResultBody): Result {
    return new Result(result.callId, result.name, result.isError, body.content, body.structured);
  }

  /** The same result with this receipt, or none. */
  static bearing(result: ToolResult, receipt: string | undefined): Result {
    const { callId, name, isError, content, structured, raw } = result;
    return new Result(callId, name, isError, content, structured, receipt, raw);
  }

  /** The same body under core's own identity. */
  static identified(result: ToolResult, callId: string, name: string): ToolResult {
    if (result.callId === callId && result.name === name) return result;
    return new Result(
      callId,
      name,
      result.isError,
      result.content,
      result.structured,
      result.receipt,
      result.raw,
    );
  }
}

/** @throws TypeError for anything but `{ content, structured? }`, or where JSON cannot hold it. */
export function snapshotBody(value: unknown): ResultBody {
  const fields: Partial<ResultBody> = Object.assign(Object.create(null), value);
  for (const key of Reflect.ownKeys(fields)) {
    if (key !== "content" && key !== "structured") throw new TypeError("not a result body");
  }
  const { content, structured } = fields;
  return Object.freeze({
    content: snapshotContent(content),
    structured: structured === undefined ? undefined : (throughJson(structured) as JsonValue),
  });
}

/** @throws TypeError for anything but text or a list of content parts. */
export function snapshotContent(content: unknown): ToolContent {
  if (typeof content === "string") return content;
  const parts = throughJson(content);
  if (!Array.isArray(parts) || !parts.every(isContentPart)) throw new TypeError("not content");
  return parts;
}

function isContentPart(part: unknown): part is ContentPart {
  return (
    typeof part === "object" &&
    part !== null &&
    Object.hasOwn(part, "type") &&
    typeof (part as ContentPart).type === "string"
  );
}

/** @throws TypeError for anything but an object. */
export function snapshotFacts(value: unknown): Metadata {
  const facts = throughJson(value);
  if (typeof facts !== "object" || facts === null || Array.isArray(facts)) {
    throw new TypeError("not an object of facts");
  }
  return facts as Metadata;
}

/** Of a result, nothing but its depth: a circle has no end. */
const resultLimits: JsonLimits = Object.freeze({
  maxBytes: Number.POSITIVE_INFINITY,
  maxNodes: Number.POSITIVE_INFINITY,
  maxDepth: 64,
});

/**
 * What JSON makes of a value, frozen. A result is not arguments: dates and
 * `undefined` are normal in it.
 */
function throughJson(value: unknown): unknown {
  try {
    // Most are plain JSON already: a copy says the same and costs a fraction of a text.
    return snapshot(value, resultLimits, true);
  } catch {
    return throughText(value);
  }
}

function throughText(value: unknown): unknown {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("JSON cannot hold it");
  return freezeJson(JSON.parse(text));
}

function freezeJson<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const key of Object.keys(value)) freezeJson((value as Record<string, unknown>)[key]);
  return Object.freeze(value);
}
