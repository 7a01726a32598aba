import { ownValue } from "@toolstile/core/provider";
import { parsed } from "../format/parsed.js";

export const noDropped = "the record does not say how many were dropped";

/** The number of dropped records that a gap's record states. */
export function droppedIn(text: string): number | undefined {
  const dropped = ownValue(parsed(text), "dropped");
  const isCount = typeof dropped === "number" && Number.isSafeInteger(dropped) && dropped >= 1;
  return isCount ? dropped : undefined;
}
