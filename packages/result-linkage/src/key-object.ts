import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { types } from "node:util";
import { ToolstileError } from "@toolstile/core";

/** @throws ToolstileError `ERR_INVALID_OPTION` unless it is an Ed25519 private key, or absent. */
export function readPrivateKey(where: string, given: unknown): KeyObject | undefined {
  return readKeyObject(`${where}: privateKey`, given, "private");
}

/** @throws ToolstileError `ERR_INVALID_OPTION` unless it is an Ed25519 public key, or absent. */
export function readPublicKey(where: string, given: unknown): KeyObject | undefined {
  return readKeyObject(`${where}: publicKey`, given, "public");
}

function readKeyObject(
  what: string,
  given: unknown,
  type: "private" | "public",
): KeyObject | undefined {
  if (given === undefined) return;
  const key = types.isKeyObject(given) ? given : fromPem(given, type);
  if (key?.type === type && key.asymmetricKeyType === "ed25519") return key;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `${what} is an Ed25519 ${type} key: a KeyObject, or PEM text that is not encrypted.`,
  );
}

/** The key, or nothing: what OpenSSL says of a text that is none might quote it. */
function fromPem(text: unknown, type: "private" | "public"): KeyObject | undefined {
  if (typeof text !== "string") return;
  try {
    if (type === "private") return createPrivateKey(text);
    // From a private key a public one would be made, and the secret stay where it does not belong.
    return text.includes("PRIVATE KEY") ? undefined : createPublicKey(text);
  } catch {
    return undefined;
  }
}
