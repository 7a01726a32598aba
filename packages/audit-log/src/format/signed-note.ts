import { createPublicKey, hash, KeyObject, verify } from "node:crypto";
import { readFile } from "node:fs/promises";
import { resolvedPath } from "@toolstile/core/files";
import { ToolstileError } from "@toolstile/core/provider";

/** A signed checkpoint, as a tlog-checkpoint states it. */
export interface SignedNote {
  /** The part of the origin after its last slash. */
  readonly chain: string;
  readonly origin: string;
  readonly size: number;
  /** The hash of record number `size`, in hex. */
  readonly root: string;
  /** The text that was signed. */
  readonly text: string;
  readonly signatures: readonly string[];
}

const signatureStart = "— ";
const extension = /^toolstile-hash-chain 1 (?:0|[1-9][0-9]{0,15})$/;
const wholeNumber = /^(?:0|[1-9][0-9]{0,15})$/;
const rootBytes = 32;

/** Reads a note that stands alone: nothing else may stand before or after it. */
export function parseNote(text: string): SignedNote | undefined {
  if (!text.endsWith("\n")) return undefined;
  const lines = text.slice(0, -1).split("\n");
  const blank = lines.indexOf("");
  if (blank === -1) return undefined;
  return noteOf(lines.slice(0, blank), lines.slice(blank + 1));
}

/** Puts a note together from its lines before and after the blank one. */
export function noteOf(
  body: readonly string[],
  signatures: readonly string[],
): SignedNote | undefined {
  const [origin = "", size = "", base64 = "", kind = ""] = body;
  const root = Buffer.from(base64, "base64");
  const chain = origin.slice(origin.lastIndexOf("/") + 1);
  const isNote =
    body.length === 4 &&
    origin.includes("/") &&
    chain !== "" &&
    wholeNumber.test(size) &&
    Number.isSafeInteger(Number(size)) &&
    root.length === rootBytes &&
    root.toString("base64") === base64 &&
    extension.test(kind) &&
    signatures.length > 0 &&
    signatures.every((line) => line.startsWith(signatureStart));
  if (!isNote) return undefined;
  const text = `${body.join("\n")}\n`;
  return { chain, origin, size: Number(size), root: root.toString("hex"), text, signatures };
}

export function isSignatureLine(line: string): boolean {
  return line.startsWith(signatureStart);
}

/** The public key of checkpoints, which every chain uses under a name of its own. */
export class CheckpointKey {
  readonly #key: KeyObject;
  readonly #raw: Buffer;

  /** @throws ToolstileError `ERR_INVALID_OPTION` unless it is an Ed25519 key. */
  constructor(key: KeyObject) {
    if (key.asymmetricKeyType !== "ed25519") throw noKey("must be an Ed25519 key");
    this.#key = key.type === "private" ? createPublicKey(key) : key;
    this.#raw = Buffer.from(this.#key.export({ format: "jwk" }).x ?? "", "base64url");
  }

  /** Returns why the note is not signed with this key. Undefined if it is. */
  faultOf(note: SignedNote): string | undefined {
    const keyId = keyIdOf(note.origin, this.#raw);
    for (const line of note.signatures) {
      const [name, base64 = "", more] = line.slice(signatureStart.length).split(" ");
      if (name !== note.origin || more !== undefined) continue;
      const bytes = Buffer.from(base64, "base64");
      if (!bytes.subarray(0, keyIdBytes).equals(keyId)) continue;
      const isSigned =
        bytes.toString("base64") === base64 &&
        verify(null, Buffer.from(note.text), this.#key, bytes.subarray(keyIdBytes));
      return isSigned ? undefined : "the checkpoint's signature does not fit what it states";
    }
    return "the checkpoint has no signature by the key that was given";
  }
}

const keyIdBytes = 4;
const ed25519 = 1;

function keyIdOf(name: string, raw: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ed25519), raw]);
  return hash("sha256", named, "buffer").subarray(0, keyIdBytes);
}

/**
 * The key itself, or the one in a file with PEM or a signed-note verifier key.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` when there is none in it; the system's error when the file cannot be read.
 */
export async function checkpointKey(given: KeyObject | string): Promise<CheckpointKey> {
  if (given instanceof KeyObject) {
    if (given.type === "private") throw noKey(isPrivate);
    return new CheckpointKey(given);
  }
  if (typeof given !== "string" || given === "") {
    throw noKey("is a public KeyObject, or the path of a file that holds one");
  }
  const text = (await readFile(given, "utf8")).trim();
  if (privatePem.test(text)) throw noKey(isPrivate, given);
  try {
    return new CheckpointKey(
      text.startsWith("-----") ? createPublicKey(text) : fromNoteKey(text, given),
    );
  } catch (cause) {
    if (ToolstileError.isInstance(cause)) throw cause;
    throw noKey(isNone, given, cause);
  }
}

const privatePem = /^-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;
const isNone =
  "is a file without a key in PEM or in a signed note's form. The log's is in the file that ends in .public.pem";
const isPrivate =
  "is the private one, which is the writer's alone: whoever checks needs the public one";

/** `<name>+<key id>+<base64 of 0x01 and the key>`, as c2sp.org/signed-note has it. */
function fromNoteKey(text: string, path: string): KeyObject {
  const form = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text);
  if (form === null) throw noKey(isNone, path);
  const [, name = "", keyId, base64 = ""] = form;
  const bytes = Buffer.from(base64, "base64");
  const raw = bytes.subarray(1);
  if (bytes[0] !== ed25519 || keyIdOf(name, raw).toString("hex") !== keyId) {
    throw noKey("is a file whose verifier key does not have the id that it states", path);
  }
  const jwk = { kty: "OKP", crv: "Ed25519", x: raw.toString("base64url") };
  return createPublicKey({ key: jwk, format: "jwk" });
}

function noKey(what: string, path?: string, cause?: unknown): ToolstileError {
  const place = path === undefined ? "" : `, in ${resolvedPath(path)},`;
  const message = `The key of the checkpoints${place} ${what}.`;
  return new ToolstileError("ERR_INVALID_OPTION", message, { cause });
}
