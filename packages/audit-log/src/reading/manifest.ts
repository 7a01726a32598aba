import { ownMember, parsed } from "./own-member.js";

/** The number of the latest record that a manifest knows of; undefined, where the text is no manifest of the chain. */
export function lastListed(text: string, chain: string): number | undefined {
  const manifest = parsed(text);
  const segments = ownMember(manifest, "segments");
  const isManifest =
    ownMember(manifest, "format") === 1 &&
    ownMember(manifest, "chain") === chain &&
    Array.isArray(segments);
  if (!isManifest) return undefined;
  let last = 0;
  for (const segment of segments) {
    const seq = ownMember(segment, "seq");
    if (typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 1) return undefined;
    last = Math.max(last, seq);
  }
  return last;
}
