import { ownValue } from "@toolstile/core/provider";
import { parsed } from "../format/parsed.js";

/** The number of the latest record that a manifest knows of; undefined, if the text is not a manifest of the chain. */
export function lastListed(text: string, chain: string): number | undefined {
  const manifest = parsed(text);
  const segments = ownValue(manifest, "segments");
  const isManifest =
    ownValue(manifest, "format") === 1 &&
    ownValue(manifest, "chain") === chain &&
    Array.isArray(segments);
  if (!isManifest) return undefined;
  let last = 0;
  for (const segment of segments) {
    const seq = ownValue(segment, "seq");
    if (typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 1) return undefined;
    last = Math.max(last, seq);
  }
  return last;
}
