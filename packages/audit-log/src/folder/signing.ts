import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  KeyObject,
  sign as signBytes,
} from "node:crypto";
import { readFileSync } from "node:fs";
import { resolvedPath } from "@toolstile/core/files";
import { ToolstileError } from "@toolstile/core/provider";
import { createIfAbsent } from "../files/own-file.js";
import type { ChainHead } from "../format/chain-head.js";
import { CheckpointKey, parseNote } from "../format/signed-note.js";

const ed25519 = 1;

export interface Signer {
  /** Signs the head of the chain of that name. https://c2sp.org/tlog-checkpoint */
  readonly sign: (name: string, head: ChainHead, time: number | null) => string;
  /** Returns the head of the chain of that name, if the note was signed with this key. */
  readonly signedHead: (name: string, note: string) => ChainHead | undefined;
}

/** Signs with an Ed25519 key. https://c2sp.org/signed-note */
export function signer(key: KeyObject): Signer {
  const raw = Buffer.from(createPublicKey(key).export({ format: "jwk" }).x ?? "", "base64url");
  const own = new CheckpointKey(key);
  const sign: Signer["sign"] = (name, head, time) => {
    const root = Buffer.from(head.hash, "hex").toString("base64");
    const text = `${name}\n${head.seq}\n${root}\ntoolstile-hash-chain 1 ${time ?? 0}\n`;
    const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ed25519), raw]);
    const keyId = hash("sha256", named, "buffer").subarray(0, 4);
    const signature = Buffer.concat([keyId, signBytes(null, Buffer.from(text), key)]);
    return `${text}\n\u2014 ${name} ${signature.toString("base64")}\n`;
  };
  return {
    sign,
    signedHead(name, text) {
      const note = parseNote(text);
      if (note === undefined || note.origin !== name) return undefined;
      return own.faultOf(note) === undefined ? { seq: note.size, hash: note.root } : undefined;
    },
  };
}

/** The head that a note states. Undefined if it is not a checkpoint. */
export function statedHead(note: Uint8Array): ChainHead | undefined {
  const [, size = "", root = ""] = Buffer.from(note).toString().split("\n");
  const bytes = Buffer.from(root, "base64");
  if (!/^[1-9][0-9]{0,15}$/.test(size) || bytes.length !== 32) return undefined;
  return { seq: Number(size), hash: bytes.toString("hex") };
}

/** @throws ToolstileError `ERR_INVALID_OPTION` unless it is a private Ed25519 key. */
export function signingKey(given: KeyObject | string): KeyObject {
  const key = given instanceof KeyObject ? given : readKey(given);
  if (key.type === "private" && key.asymmetricKeyType === "ed25519") return key;
  const place = typeof given === "string" ? `, received another one at ${resolvedPath(given)}` : "";
  throw noKey(`must be a private Ed25519 key${place}`);
}

/** Reads the key in the file. It is created if absent, with its public half in another file. */
export function keyInFile(file: string, publicFile: string): KeyObject {
  const { privateKey } = generateKeyPairSync("ed25519");
  createIfAbsent(file, privateKey.export({ format: "pem", type: "pkcs8" }));
  const key = signingKey(file);
  createIfAbsent(publicFile, createPublicKey(key).export({ format: "pem", type: "spki" }));
  return key;
}

function readKey(path: string): KeyObject {
  try {
    return createPrivateKey(readFileSync(path));
  } catch (cause) {
    throw noKey(`cannot be read as a private key in PEM at ${resolvedPath(path)}`, cause);
  }
}

function noKey(what: string, cause?: unknown): ToolstileError {
  return new ToolstileError(
    "ERR_INVALID_OPTION",
    `folder(): 'signingKey' ${what}. Make one with generateKeyPair("ed25519"), or leave it out.`,
    { cause },
  );
}
