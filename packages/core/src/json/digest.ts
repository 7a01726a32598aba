import { createHash, createHmac } from "node:crypto";
import { optionError } from "../errors/option-error.js";
import { canonicalJson } from "./canonical.js";

/**
 * SHA-256, in hex, of a JSON value's canonical text.
 *
 * With a key it is HMAC-SHA-256: use one wherever the value might be guessed,
 * for a bare hash of a PIN or an address is as good as the value itself.
 *
 * @throws ToolstileError `ERR_NOT_JSON` for anything JSON cannot hold, `ERR_INVALID_OPTION` for a key that is none.
 */
export function digest(value: unknown, key?: string | Uint8Array): string {
  if (key !== undefined && typeof key !== "string" && !(key instanceof Uint8Array)) {
    throw optionError("digest()", "key", "a string or bytes", key);
  }
  const text = canonicalJson(value);
  const hash = key === undefined ? createHash("sha256") : createHmac("sha256", key);
  return hash.update(text).digest("hex");
}
