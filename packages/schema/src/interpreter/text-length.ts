import type { Meter } from "../cost/meter.js";

/** True if a text has more code points than the limit, counted only where its UTF-16 length leaves doubt. */
export function isLonger(text: string, limit: number, meter: Meter): boolean {
  if (text.length <= limit) return false;
  return text.length > 2 * limit || codePointLength(text, meter) > limit;
}

/** True if a text has fewer code points than the limit, counted only where its UTF-16 length leaves doubt. */
export function isShorter(text: string, limit: number, meter: Meter): boolean {
  if (text.length < limit) return true;
  return text.length < 2 * limit && codePointLength(text, meter) < limit;
}

function codePointLength(text: string, meter: Meter): number {
  meter.take(text.length);
  let length = text.length;
  for (let i = 1; i < text.length; i++) {
    const isPair =
      (text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    if (isPair) length--;
  }
  return length;
}
