import {
  createHmac,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  sign,
  timingSafeEqual,
  verify,
} from "node:crypto";
import type { ToolstileError } from "@toolstile/core";
import {
  group,
  invalidOption,
  OptionReader,
  oneOf,
  optionError,
  ownValue,
  quoted,
  required,
  such,
} from "@toolstile/core/provider";
import { keyObject } from "./key-object.js";

/** The time in which a key is used, in milliseconds since the epoch. */
export interface ReceiptKeyPeriod {
  /** Default: from the start. */
  readonly signsFrom?: number | undefined;
  /** From then on it no longer signs, and a receipt issued later proves nothing. Default: no end. */
  readonly signsUntil?: number | undefined;
  /** From then on its receipts prove nothing. Default: no end. */
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

/** Reads the keys. No error of theirs has a secret in it. */
export function keyList(): OptionReader<readonly ReadKey[] | undefined> {
  return new OptionReader("an array of at least one key", (keys, where, option, expected) => {
    if (!Array.isArray(keys) || keys.length === 0) throw optionError(where, option, expected, keys);
    return Array.from(keys, (key, index) => readKey(key, where, `${option}[${index}]`));
  });
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for two keys of one id. */
export function byId(keys: readonly ReadKey[]): ReadonlyMap<string, ReadKey> {
  const read = new Map<string, ReadKey>();
  for (const key of keys) {
    if (read.has(key.id)) {
      const problem = `two keys have the id ${quoted(key.id)}. Each must have its own.`;
      throw invalidOption("receipts()", problem);
    }
    read.set(key.id, key);
  }
  return read;
}

const time = () =>
  such<number>((value) => Number.isFinite(value), "a number of milliseconds since the epoch");

const id = such<string>(
  (value) => typeof value === "string" && /^[\w-]{1,64}$/.test(value),
  "a string of 1 to 64 letters, digits, '_' and '-'",
);

const common = {
  id: required(id),
  algorithm: required(oneOf("hmac-sha256", "ed25519")),
  signsFrom: time(),
  signsUntil: time(),
  verifiesUntil: time(),
};

const secretOption = {
  secret: such<string | Uint8Array>(
    (value) => typeof value === "string" || value instanceof Uint8Array,
    "a string or a Uint8Array",
  ),
};
const pairOptions = { privateKey: keyObject("private"), publicKey: keyObject("public") };

const hmacKey = required(group({ ...common, secret: required(secretOption.secret) }));
const pairKey = required(group({ ...common, ...pairOptions }));
/** The options of a key that names neither algorithm. A typo in 'algorithm' is reported before the choice among them. */
const anyKey = required(group({ ...common, ...secretOption, ...pairOptions }));

function readKey(given: unknown, where: string, option: string): ReadKey {
  const algorithm = algorithmOf(given);
  if (algorithm === "hmac-sha256") {
    const key = hmacKey.read(given, where, option);
    const period = periodOf(key, faultIn(where, option));
    return { id: key.id, ...period, ...meansOfSecret(key.secret, where, option) };
  }
  const key = (algorithm === "ed25519" ? pairKey : anyKey).read(given, where, option);
  const invalid = faultIn(where, option);
  return { id: key.id, ...periodOf(key, invalid), ...meansOfPair(key, invalid) };
}

function algorithmOf(given: unknown): unknown {
  try {
    return ownValue(given, "algorithm");
  } catch {
    return undefined;
  }
}

type Fault = (problem: string) => ToolstileError;

function faultIn(where: string, option: string): Fault {
  return (problem) => invalidOption(where, `'${option}' ${problem}`);
}

type Period = Pick<ReadKey, "signsFrom" | "signsUntil" | "verifiesUntil">;

function periodOf(given: ReceiptKeyPeriod, invalid: Fault): Period {
  const { signsFrom = -Infinity, signsUntil = Infinity, verifiesUntil = Infinity } = given;
  if (signsFrom >= signsUntil) throw invalid("must have signsFrom before signsUntil.");
  if (given.signsUntil !== undefined && signsUntil > verifiesUntil) {
    throw invalid(
      "must not have signsUntil after verifiesUntil: what it signs in between would prove nothing.",
    );
  }
  return { signsFrom, signsUntil, verifiesUntil };
}

type Means = Pick<ReadKey, "sign" | "verify">;

function meansOfSecret(secret: string | Uint8Array, where: string, option: string): Means {
  const bytes = Buffer.from(secret as string);
  if (bytes.length < 32) {
    const problem = `must have at least 32 bytes, received ${bytes.length}. Make them with randomBytes(32).`;
    throw invalidOption(where, `'${option}.secret' ${problem}`);
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

interface Pair {
  readonly privateKey?: KeyObject | undefined;
  readonly publicKey?: KeyObject | undefined;
}

function meansOfPair({ privateKey, publicKey: given }: Pair, invalid: Fault): Means {
  const derived = privateKey === undefined ? undefined : createPublicKey(privateKey);
  const publicKey = given ?? derived;
  if (publicKey === undefined) throw invalid("must have a privateKey or a publicKey.");
  if (derived !== undefined && !derived.equals(publicKey)) {
    throw invalid("must have a publicKey that belongs to its privateKey.");
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
