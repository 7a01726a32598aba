import { checkOptions } from "../errors/options.js";
import { faithfulText } from "../json/faithful.js";
import { deepFreeze, isJsonObject, own } from "../json/own.js";
import { type JsonLimits, jsonFaults, snapshot } from "../json/snapshot.js";
import type {
  ContentPart,
  JsonValue,
  Metadata,
  ResultBody,
  ToolContent,
  ToolResult,
} from "../protocol/guardrail.js";

/** A tool's answer, with the identity that it claims. */
export interface ClaimedResult extends ResultBody {
  /** The id of the call that it claims to answer. Absent: the call that the tool was given. */
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
 * States exactly what the model will read, in place of a plain return value.
 *
 * For tools that answer in content parts, that report an error without
 * throwing, or that pass on the answer of another system together with the
 * identity it claims.
 */
export function toolResult(result: ClaimedResult): ClaimedResult {
  checkOptions("toolResult()", result, claims);
  return new Claim(result);
}

/** A claimed result. Every field is an own property: a field that was not given cannot come from a prototype. */
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

/** Reads the value that a tool returned. @throws TypeError if JSON cannot hold it. */
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
  if (typeof value === "number" && !Number.isFinite(value)) {
    return new Result(callId, name, false, String(value));
  }
  const { text, structured } = textAndValue(value);
  return new Result(callId, name, false, text, structured);
}

/** The text of a result that is no content, and the same as frozen JSON. */
function textAndValue(value: unknown): { text: string; structured: JsonValue } {
  try {
    const structured = snapshot(value, resultLimits, true);
    return { text: JSON.stringify(structured), structured };
  } catch {
    const text = faithfulText(value);
    return { text, structured: deepFreeze(JSON.parse(text) as JsonValue) };
  }
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

  /** Returns a result with the same identity and another body. The `raw` of the old one is dropped. */
  static rewritten(result: ToolResult, body: ResultBody): Result {
    return new Result(result.callId, result.name, result.isError, body.content, body.structured);
  }

  /** Returns the same result with this receipt, or without one. */
  static bearing(result: ToolResult, receipt: string | undefined): Result {
    const { callId, name, isError, content, structured, raw } = result;
    return new Result(callId, name, isError, content, structured, receipt, raw);
  }

  /** Returns the same body under core's own identity. */
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

/** @throws JsonFault for anything but `{ content, structured? }`; TypeError where JSON cannot hold it. */
export function snapshotBody(value: unknown): ResultBody {
  const fields: Partial<ResultBody> = Object.assign(Object.create(null), value);
  for (const key of Reflect.ownKeys(fields)) {
    if (key !== "content" && key !== "structured") throw jsonFaults.not_json;
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

/** @throws JsonFault for anything but an object; TypeError where JSON cannot hold it. */
export function snapshotFacts(value: unknown): Metadata {
  const facts = throughJson(value);
  if (!isJsonObject(facts)) throw jsonFaults.not_an_object;
  return facts as Metadata;
}

/** The limits of a result. Only its depth has one, because a circle has no end. */
const resultLimits: JsonLimits = Object.freeze({
  maxBytes: Number.POSITIVE_INFINITY,
  maxNodes: Number.POSITIVE_INFINITY,
  maxDepth: 64,
});

/**
 * Converts a value to frozen JSON. A result is not arguments: dates and
 * `undefined` are normal in it.
 */
function throughJson(value: unknown): unknown {
  try {
    // Most results are plain JSON already: a copy is the same and costs a fraction of a text.
    return snapshot(value, resultLimits, true);
  } catch {
    return deepFreeze(JSON.parse(faithfulText(value)));
  }
}
