import { hash } from "node:crypto";
import type { CallContext, JsonObject, JsonValue, ToolContent } from "@toolstile/core";
import {
  canonicalJson,
  checkOptions,
  OptionReader,
  ownText,
  ownValue,
  parseArguments,
  ToolstileError,
} from "@toolstile/core/provider";
import { forId, named, withId } from "./finding.js";
import type { ReceiptCode } from "./receipt-finding.js";

/** The host's facts that a receipt is bound to. Each one that is given must be the same at both ends, and each that is not, absent. */
export type ReceiptContext = Pick<CallContext, "sessionId" | "tenant" | "principal">;

/** The facts that a call's receipt is bound to. */
export interface CallFacts {
  readonly callId: string;
  /** As requested on the wire, before any alias is resolved. */
  readonly toolName: string;
  /** An object, or the JSON text of one. Absent or blank: `{}`. */
  readonly args?: JsonObject | string | null | undefined;
  readonly context?: ReceiptContext | undefined;
}

/** The facts that a result's receipt is bound to. */
export interface ResultFacts {
  readonly callId: string;
  /** As requested on the wire, before any alias is resolved. */
  readonly toolName: string;
  /** The content of the tool message. `null` and absent are the same, and not the same as empty text. */
  readonly content?: ToolContent | readonly object[] | null | undefined;
  /** The receipt of the call that it answers. */
  readonly callReceipt?: string | undefined;
  readonly context?: ReceiptContext | undefined;
}

/** One thing that a receipt is bound to. */
export interface Fact {
  readonly what: string;
  /** The finding when it is another. */
  readonly code: ReceiptCode;
  /** @throws for what cannot be read. */
  readonly read: () => JsonValue;
}

/** The subject of a receipt, in words and in facts. */
export interface Subject {
  readonly title: string;
  readonly facts: readonly Fact[];
}

export function subjectOfCall(given: CallFacts): Subject {
  return {
    title: `tool call${named(ownText(given, "toolName"))}${withId(ownText(given, "callId"))}`,
    facts: [
      identity(given, "call"),
      {
        what: "arguments",
        code: "receipt_of_other_arguments",
        read: () => {
          const parsed = parseArguments(ownValue(given, "args"));
          if (!parsed.ok) throw new TypeError(parsed.reason);
          return parsed.args;
        },
      },
      context(given),
    ],
  };
}

export function subjectOfResult(given: ResultFacts): Subject {
  return {
    title: `tool result${forId(ownText(given, "callId"))}`,
    facts: [
      identity(given, "result"),
      {
        what: "receipt of the call",
        code: "receipt_of_another_call",
        read: () => textOrNull(given, "callReceipt"),
      },
      {
        what: "content",
        code: "receipt_of_other_content",
        read: () => contentAsSent(ownValue(given, "content")),
      },
      context(given),
    ],
  };
}

/** The bytes that bind one fact to one receipt: salted, so that equal facts of two receipts do not look alike. */
export function digest(fact: Fact, nonce: string): Buffer {
  // A JSON list, so that no two lists of facts have one text.
  return hash("sha256", canonicalJson([nonce, fact.what, fact.read()]), "buffer");
}

/** @throws ToolstileError `ERR_NOT_JSON` that names what cannot be read, and quotes none of it. */
export function digestToSign({ title, facts }: Subject, nonce: string): Buffer {
  const digests = facts.map((fact) => {
    try {
      return digest(fact, nonce);
    } catch {
      throw new ToolstileError(
        "ERR_NOT_JSON",
        `No receipt for the ${title}: its ${fact.what} cannot be read. Pass plain JSON values.`,
      );
    }
  });
  return Buffer.concat(digests);
}

function identity(given: CallFacts | ResultFacts, kind: string): Fact {
  return {
    what: "call",
    code: "receipt_of_another_call",
    read: () => {
      const [callId, toolName] = [ownText(given, "callId"), ownText(given, "toolName")];
      if (callId === undefined || toolName === undefined) throw new TypeError("no id or no name");
      return [kind, callId, toolName];
    },
  };
}

function context(given: CallFacts | ResultFacts): Fact {
  return {
    what: "context",
    code: "receipt_of_another_context",
    read: () => {
      const facts = ownValue(given, "context") ?? {};
      checkContext("context", facts);
      const { sessionId, tenant, principal } = {
        sessionId: textOrNull(facts, "sessionId"),
        tenant: textOrNull(facts, "tenant"),
        principal: textOrNull(facts, "principal"),
      };
      return [sessionId, tenant, principal];
    },
  };
}

/** Reads the context of an option. An unknown fact is an error: a misspelt one would bind to nothing. */
export function receiptContext(): OptionReader<ReceiptContext | undefined> {
  return new OptionReader("an object of the host's facts", (facts, where, option) => {
    checkContext(`${where}: '${option}'`, facts);
    return facts;
  });
}

function checkContext(where: string, facts: unknown): void {
  // Those of a runner's context that are not bound may be there.
  const known = ["sessionId", "tenant", "principal", "traceparent", "attributes"];
  checkOptions(where, facts, known);
}

function textOrNull(given: unknown, key: string): string | null {
  const text = ownValue(given, key) ?? null;
  if (text === null || typeof text === "string") return text;
  throw new TypeError("neither text nor absent");
}

/** Content after a way over the wire as JSON in UTF-8, which holds no lone surrogate. */
function contentAsSent(content: unknown): JsonValue {
  if (content === undefined || content === null) return null;
  if (typeof content === "string") return content.toWellFormed();
  if (!Array.isArray(content)) throw new TypeError("not content");
  return JSON.parse(JSON.stringify(content), (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
}
