import type { Segment } from "./chain-state.js";
import type { RetentionOptions } from "./options.js";

/** The oldest segments, as many as the limits say go. Never the one that is written to. */
export function outlived(
  segments: readonly Segment[],
  { maxSegments, maxBytes, maxAgeMs }: RetentionOptions,
  time: number | null,
): readonly Segment[] {
  let bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  let count = 0;
  for (const [index, segment] of segments.slice(0, -1).entries()) {
    // A segment's last record is as old as the next one's first, or older.
    const ended = segments[index + 1]?.time ?? null;
    const isOld =
      maxAgeMs !== undefined && ended !== null && time !== null && time - ended >= maxAgeMs;
    const isTooMany = maxSegments !== undefined && segments.length - index > maxSegments;
    const isTooMuch = maxBytes !== undefined && bytes > maxBytes;
    if (!isOld && !isTooMany && !isTooMuch) break;
    bytes -= segment.bytes;
    count = index + 1;
  }
  return segments.slice(0, count);
}
