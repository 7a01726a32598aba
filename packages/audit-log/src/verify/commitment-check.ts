import { digest } from "@toolstile/core/digest";
import { ownValue, quoted } from "@toolstile/core/provider";

export type PayloadsFound =
  | { readonly checked: number; readonly reason?: undefined }
  | { readonly reason: string };

/** Compares payloads with the digests that a record commits to. */
export function checkCommitments(
  payloads: object,
  digests: unknown,
  key: Uint8Array,
): PayloadsFound {
  let checked = 0;
  for (const [name, value] of Object.entries(payloads)) {
    // A payload that was too long to be kept, or is not JSON.
    if (value === null) continue;
    if (!isCommitted(value, ownValue(digests, name), key)) {
      const shown = quoted(name).replaceAll("…", "...");
      return { reason: `the payload ${shown} is not the one that the record commits to` };
    }
    checked++;
  }
  return { checked };
}

/** No record commits to what has no canonical text, or is too deep to be written. */
function isCommitted(payload: unknown, commitment: unknown, key: Uint8Array): boolean {
  try {
    return digest(payload, key) === commitment;
  } catch {
    return false;
  }
}
