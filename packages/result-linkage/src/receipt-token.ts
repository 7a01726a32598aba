export type ReceiptKind = "call" | "result";

/** The signed parts of a receipt, in the order of the text. */
export interface ReceiptHead {
  readonly kind: ReceiptKind;
  readonly keyId: string;
  /** Milliseconds since the epoch. */
  readonly issuedAt: number;
  /** 16 random bytes, base64url: no two receipts are the same. */
  readonly nonce: string;
  /** 32 bytes of SHA-256 for each fact, base64url. */
  readonly digests: string;
}

export interface ParsedReceipt extends ReceiptHead {
  /** All that is signed: the text up to the signature. */
  readonly head: string;
  /** Base64url, of a length that one of the algorithms has. */
  readonly signature: string;
}

/** Version, kind, key, time, nonce, digests. No part can hold a dot, so no two heads have one text. */
export function formatHead({ kind, keyId, issuedAt, nonce, digests }: ReceiptHead): string {
  return `toolstile1.${kind}.${keyId}.${issuedAt}.${nonce}.${digests}`;
}

const format =
  /^(?<head>toolstile1\.(?<kind>call|result)\.(?<keyId>[\w-]{1,64})\.(?<issuedAt>\d{1,15})\.(?<nonce>[\w-]{22})\.(?<digests>[\w-]{128,171}))\.(?<signature>[\w-]{43,86})$/;

/** Three facts of a call are 96 bytes, four of a result 128: in base64url, so many characters. */
const digestsLength = { call: 128, result: 171 } as const;

/** Returns undefined for a value that is not a receipt, however long it is. */
export function parseReceipt(receipt: unknown): ParsedReceipt | undefined {
  const parts = typeof receipt === "string" ? format.exec(receipt)?.groups : undefined;
  if (parts === undefined) return undefined;
  const { head, kind, keyId, issuedAt, nonce, digests, signature } = parts as Parts;
  if (digests.length !== digestsLength[kind]) return undefined;
  return { head, kind, keyId, issuedAt: Number(issuedAt), nonce, digests, signature };
}

type Parts = Omit<ParsedReceipt, "issuedAt"> & { readonly issuedAt: string };
