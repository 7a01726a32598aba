import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { types } from "node:util";
import { OptionReader, optionError } from "@toolstile/core/provider";

/** Reads one half of an Ed25519 pair. */
export function keyObject(type: "private" | "public"): OptionReader<KeyObject | undefined> {
  const expected = `an Ed25519 ${type} key: a KeyObject, or PEM text that is not encrypted`;
  return new OptionReader(expected, (given, where, option, right) => {
    const key = types.isKeyObject(given) ? given : fromPem(given, type);
    if (key?.type === type && key.asymmetricKeyType === "ed25519") return key;
    throw optionError(where, option, right, given);
  });
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
