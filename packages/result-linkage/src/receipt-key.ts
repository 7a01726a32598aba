import {
  createHmac,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { didYouMean, quoted, ToolstileError } from "@toolstile/core";
import { readPrivateKey, readPublicKey } from "./key-object.js";
import { checkOwnOptions, own } from "./own-property.js";

/** When a key is in use, in milliseconds since the epoch. */
export interface ReceiptKeyPeriod {
  /** Default: from the start. */
  readonly signsFrom?: number | undefined;
  /** From then on it signs no more, and nothing issued later counts. Default: no end. */
  readonly signsUntil?: number | undefined;
  /** From then on it proves nothing any more. Default: no end. */
  readonly verifiesUntil?: number | undefined;
}

/** A secret that signs and verifies: whoever can verify can forge. */
export interface HmacReceiptKey extends ReceiptKeyPeriod {
  /** 1 to 64 letters, digits, `_` and `-`. It stands in every receipt. */
  readonly id: string;
  readonly algorithm: "hmac-sha256";
  /** At least 32 bytes, random ones; text counts in UTF-8. */
  readonly secret: Uint8Array | string;
}

/** A pair of keys: the public one alone verifies and cannot sign. */
export interface Ed25519ReceiptKey extends ReceiptKeyPeriod {
  /** 1 to 64 letters, digits, `_` and `-`. It stands in every receipt. */
  readonly id: string;
  readonly algorithm: "ed25519";
  /** A key object or PEM text. */
  readonly privateKey?: KeyObject | string | undefined;
  /** A key object or PEM text. Default: the private key's own. */
  readonly publicKey?: KeyObject | string | undefined;
}

export type ReceiptKey = HmacReceiptKey | Ed25519ReceiptKey;

/** A key that has been read. It holds what it must in private, so that printing it shows no secret. */
export interface ReadKey {
  readonly id: string;
  readonly signsFrom: number;
  readonly signsUntil: number;
  readonly verifiesUntil: number;
  /** Base64url. Absent: it cannot sign. */
  readonly sign: ((text: string) => string) | undefined;
  readonly verify: (text: string, signature: string) => boolean;
}

/** @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION`, never with a secret in it. */
export function readKeys(keys: unknown): ReadonlyMap<string, ReadKey> {
  if (!Array.isArray(keys) || keys.length === 0) {
    throw invalid("receipts: keys is a list of at least one key.");
  }
  const read = new Map<string, ReadKey>();
  for (const [index, given] of Array.from(keys).entries()) {
    const key = readKey(`receipts: keys[${index}]`, given);
    if (read.has(key.id)) throw invalid(`receipts: two keys have the id ${quoted(key.id)}.`);
    read.set(key.id, key);
  }
  return read;
}

const common = ["id", "algorithm", "signsFrom", "signsUntil", "verifiesUntil"];
const algorithms = new Map([
  ["hmac-sha256", { members: ["secret"], read: readSecret }],
  ["ed25519", { members: ["privateKey", "publicKey"], read: readPair }],
]);

function readKey(where: string, given: unknown): ReadKey {
  const name = own(given, "algorithm");
  const algorithm = typeof name === "string" ? algorithms.get(name) : undefined;
  // A typo in 'algorithm' is told as one before a choice among the algorithms is.
  const members = algorithm?.members ?? ["secret", "privateKey", "publicKey"];
  checkOwnOptions(where, given as object, [...common, ...members]);
  if (algorithm === undefined) {
    const guess = typeof name === "string" ? didYouMean(name, algorithms.keys()) : "";
    const known = [...algorithms.keys()].map(quoted).join(" or ");
    throw invalid(`${where}: algorithm is ${known}.${guess}`);
  }
  const id = own(given, "id");
  if (typeof id !== "string" || !/^[\w-]{1,64}$/.test(id)) {
    throw invalid(`${where}: id is 1 to 64 letters, digits, '_' and '-'.`);
  }
  return { id, ...readPeriod(where, given), ...algorithm.read(where, given) };
}

type Period = Pick<ReadKey, "signsFrom" | "signsUntil" | "verifiesUntil">;

function readPeriod(where: string, given: unknown): Period {
  const signsFrom = readTime(where, given, "signsFrom", -Infinity);
  const signsUntil = readTime(where, given, "signsUntil", Infinity);
  const verifiesUntil = readTime(where, given, "verifiesUntil", Infinity);
  if (signsFrom >= signsUntil) throw invalid(`${where}: signsFrom is before signsUntil.`);
  if (own(given, "signsUntil") !== undefined && signsUntil > verifiesUntil) {
    throw invalid(
      `${where}: signsUntil is not after verifiesUntil, or nothing it signs last counts.`,
    );
  }
  return { signsFrom, signsUntil, verifiesUntil };
}

function readTime(where: string, given: unknown, key: string, otherwise: number): number {
  const time = own(given, key) ?? otherwise;
  if (typeof time === "number" && (Number.isFinite(time) || time === otherwise)) return time;
  throw invalid(`${where}: ${key} is a number of milliseconds since the epoch.`);
}

type Means = Pick<ReadKey, "sign" | "verify">;

function readSecret(where: string, given: unknown): Means {
  const secret = own(given, "secret");
  if (typeof secret !== "string" && !(secret instanceof Uint8Array)) {
    throw invalid(`${where}: secret is text or a Uint8Array.`);
  }
  const bytes = Buffer.from(secret as string);
  if (bytes.length < 32) {
    throw invalid(
      `${where}: secret has ${bytes.length} bytes: it takes at least 32. Make them with randomBytes(32).`,
    );
  }
  const key = createSecretKey(bytes);
  const mac = (text: string) => createHmac("sha256", key).update(text).digest("base64url");
  return {
    sign: mac,
    // Texts are compared, so that a signature has one spelling.
    verify: (text, signature) => {
      const [expected, claimed] = [Buffer.from(mac(text)), Buffer.from(signature)];
      return expected.length === claimed.length && timingSafeEqual(expected, claimed);
    },
  };
}

function readPair(where: string, given: unknown): Means {
  const privateKey = readPrivateKey(where, own(given, "privateKey"));
  const derived = privateKey === undefined ? undefined : createPublicKey(privateKey);
  const publicKey = readPublicKey(where, own(given, "publicKey")) ?? derived;
  if (publicKey === undefined) throw invalid(`${where} has neither a privateKey nor a publicKey.`);
  if (derived !== undefined && !derived.equals(publicKey)) {
    throw invalid(`${where}: publicKey is not the one of privateKey.`);
  }
  return {
    sign: privateKey && ((text) => sign(null, Buffer.from(text), privateKey).toString("base64url")),
    verify: (text, signature) => {
      const bytes = Buffer.from(signature, "base64url");
      // Base64url has more than one spelling for the same bytes.
      if (bytes.toString("base64url") !== signature) return false;
      return verify(null, Buffer.from(text), publicKey, bytes);
    },
  };
}

function invalid(message: string): ToolstileError {
  return new ToolstileError("ERR_INVALID_OPTION", message);
}
