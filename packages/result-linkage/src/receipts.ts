import { randomBytes, timingSafeEqual } from "node:crypto";
import {
  quoted,
  type ReceiptSigner,
  readOptions,
  required,
  such,
  ToolstileError,
} from "@toolstile/core/provider";
import {
  type CallFacts,
  digest,
  digestToSign,
  type ResultFacts,
  type Subject,
  subjectOfCall,
  subjectOfResult,
} from "./receipt-facts.js";
import type { ReceiptCode, ReceiptFinding } from "./receipt-finding.js";
import { byId, keyList, type ReadKey, type ReceiptKey } from "./receipt-key.js";
import { formatHead, type ParsedReceipt, parseReceipt, type ReceiptKind } from "./receipt-token.js";

export interface ReceiptsOptions {
  /** The first key that may sign now signs; all keys verify. */
  readonly keys: readonly ReceiptKey[];
  /** The largest difference between two hosts' clocks, in milliseconds. Default 60,000. */
  readonly clockSkewMs?: number | undefined;
  /** The largest age of a receipt, in milliseconds. Default 30 days. `Infinity`: only the key's own period counts. */
  readonly maxAgeMs?: number | undefined;
  readonly clock?: { readonly now: () => number } | undefined;
}

/** Signs calls and results, and verifies what comes back. */
export interface Receipts {
  /** @throws ToolstileError `ERR_NOT_JSON` for facts that cannot be read, `ERR_INVALID_OPTION` where no key may sign now. */
  readonly signCall: (facts: CallFacts) => string;
  /** Nothing, if the receipt proves that this call was issued. Never throws. */
  readonly verifyCall: (receipt: unknown, facts: CallFacts) => ReceiptFinding | undefined;
  /** @throws ToolstileError as `signCall` does. */
  readonly signResult: (facts: ResultFacts) => string;
  /** Nothing, if the receipt proves that this result was given to this call. Never throws. */
  readonly verifyResult: (receipt: unknown, facts: ResultFacts) => ReceiptFinding | undefined;
  /** For a runner's `receiptSigner`. */
  readonly signer: ReceiptSigner;
}

const day = 24 * 60 * 60 * 1000;

const span = (most: number) =>
  such<number>(
    (value) => typeof value === "number" && value >= 0 && value <= most,
    "a number of milliseconds, 0 or more",
  );

const isClock = (value: unknown) =>
  typeof (Object(value) as { readonly now?: unknown }).now === "function";

const receiptsOptions = {
  keys: required(keyList()),
  clockSkewMs: span(Number.MAX_SAFE_INTEGER).default(60_000),
  maxAgeMs: span(Number.POSITIVE_INFINITY).default(30 * day),
  clock: such<{ readonly now: () => number }>(isClock, "an object with a now() function").default(
    Date,
  ),
};

/**
 * Sign calls and results, so that a later request can prove that this host gave them out.
 *
 * A call's receipt is bound to its id, tool, arguments and context and to
 * itself alone: two calls that are alike have two receipts. A result's is
 * bound to its content and to the receipt of the call that it answers. The
 * algorithm is the key's, whatever a receipt says.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION` for wrong options or keys, never with a secret in it.
 */
export function receipts(options: ReceiptsOptions): Receipts {
  const {
    clockSkewMs: skew,
    maxAgeMs: maxAge,
    clock,
    ...read
  } = readOptions("receipts()", options, receiptsOptions);
  const keys = byId(read.keys);
  const now = () => clock.now();

  function issue(kind: ReceiptKind, subjectOf: () => Subject): string {
    const issuedAt = Math.floor(now());
    if (!(issuedAt >= 0 && issuedAt < 1e15)) {
      throw new ToolstileError(
        "ERR_INVALID_OPTION",
        "receipts: clock.now() must return milliseconds since the epoch.",
      );
    }
    const { id, sign } = signingKey(keys.values(), issuedAt);
    const nonce = randomBytes(16).toString("base64url");
    const digests = digestToSign(readable(subjectOf), nonce).toString("base64url");
    const head = formatHead({ kind, keyId: id, issuedAt, nonce, digests });
    return `${head}.${sign(head)}`;
  }

  function verify(
    receipt: unknown,
    kind: ReceiptKind,
    { title, facts }: Subject,
  ): ReceiptFinding | undefined {
    const about = (code: ReceiptCode, what: string) => ({
      code,
      reason: `the receipt of the ${title} ${what}`,
    });
    if (receipt === undefined || receipt === null || receipt === "") {
      return { code: "receipt_missing", reason: `the ${title} has no receipt` };
    }
    const parsed = parseReceipt(receipt);
    if (parsed === undefined) return about("receipt_malformed", "cannot be read");
    const key = keys.get(parsed.keyId);
    if (key === undefined) {
      return about("receipt_unknown_key", `is signed with an unknown key, ${quoted(parsed.keyId)}`);
    }
    if (!key.verify(parsed.head, parsed.signature)) {
      return about("receipt_forged", "is not signed by its key");
    }
    if (parsed.kind !== kind) {
      const other = kind === "call" ? "a result's" : "a call's";
      return about("receipt_of_another_kind", `is ${other}`);
    }
    const untimely = timeFault(parsed, key, now(), skew, maxAge);
    if (untimely !== undefined) return about(...untimely);
    const signed = Buffer.from(parsed.digests, "base64url");
    for (const [index, fact] of facts.entries()) {
      const expected = signed.subarray(index * 32, index * 32 + 32);
      try {
        if (timingSafeEqual(digest(fact, parsed.nonce), expected)) continue;
      } catch {
        return about(fact.code, `proves nothing: the ${fact.what} cannot be read`);
      }
      return about(fact.code, `does not match the ${fact.what}`);
    }
    return undefined;
  }

  const signResult = (facts: ResultFacts) => issue("result", () => subjectOfResult(facts));
  return Object.freeze<Receipts>({
    signCall: (facts) => issue("call", () => subjectOfCall(facts)),
    verifyCall: (receipt, facts) => closed(() => verify(receipt, "call", subjectOfCall(facts))),
    signResult,
    verifyResult: (receipt, facts) =>
      closed(() => verify(receipt, "result", subjectOfResult(facts))),
    signer: Object.freeze<ReceiptSigner>({
      name: "receipts",
      sign: ({ callId, requestedName, receipt, context }, { content }) =>
        signResult({ callId, toolName: requestedName, content, callReceipt: receipt, context }),
    }),
  });
}

/** @throws ToolstileError `ERR_NOT_JSON` for facts that throw when they are read. */
function readable(subjectOf: () => Subject): Subject {
  try {
    return subjectOf();
  } catch {
    const message = "No receipt: the facts cannot be read. Pass plain JSON values.";
    throw new ToolstileError("ERR_NOT_JSON", message);
  }
}

/** An error during verification, of any kind, proves nothing. */
function closed(verify: () => ReceiptFinding | undefined): ReceiptFinding | undefined {
  try {
    return verify();
  } catch {
    return { code: "receipt_unprovable", reason: "the receipt could not be verified" };
  }
}

function signingKey(
  keys: Iterable<ReadKey>,
  now: number,
): { readonly id: string; readonly sign: (text: string) => string } {
  for (const { id, sign, signsFrom, signsUntil, verifiesUntil } of keys) {
    if (sign === undefined || now < signsFrom) continue;
    if (now < signsUntil && now < verifiesUntil) return { id, sign };
  }
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    "receipts: no key may sign now. At least one key with a secret or privateKey must have signsFrom in the past and signsUntil in the future.",
  );
}

/** Written so that a time that is not a number is a fault. */
function timeFault(
  { issuedAt, keyId }: ParsedReceipt,
  key: ReadKey,
  now: number,
  skew: number,
  maxAge: number,
): readonly [ReceiptCode, string] | undefined {
  if (!(now < key.verifiesUntil)) {
    return ["receipt_key_out_of_period", `is signed with ${quoted(keyId)}, which proves no more`];
  }
  if (!(issuedAt >= key.signsFrom - skew && issuedAt < key.signsUntil + skew)) {
    const when = "at a time when it signs nothing";
    return ["receipt_key_out_of_period", `is signed with ${quoted(keyId)} ${when}`];
  }
  if (!(issuedAt <= now + skew)) return ["receipt_from_the_future", "is from the future"];
  if (!(now - issuedAt <= maxAge + skew)) return ["receipt_expired", "is too old"];
  return undefined;
}
