import { isHex, isInvisible } from "../text/classes.js";

/** A text without its escapes; unit `n` of it stands from `starts[n]` to `starts[n + 1]` in the text it was read from. */
export interface Unescaped {
  readonly text: string;
  readonly starts: Uint32Array;
}

const decoder = new TextDecoder("utf-16le");
const simple: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 };

/**
 * Reads JSON's escapes, however often they were escaped again, and percent escapes (RFC 3986) where asked; leaves
 * out characters without width, and line breaks that continue a line.
 *
 * It is undefined if nothing changes.
 */
export function unescaped(text: string, readsPercents: boolean): Unescaped | undefined {
  const { length } = text;
  const units = new Uint16Array(length);
  const starts = new Uint32Array(length + 1);
  let size = 0;
  let at = 0;
  const write = (unit: number): void => {
    units[size] = unit;
    starts[size] = at;
    size += 1;
  };
  while (at < length) {
    const code = text.charCodeAt(at);
    let end = at + 1;
    if (code === 92) {
      while (text.charCodeAt(end) === 92) end += 1;
      const next = text.charCodeAt(end);
      const unit = next === 117 ? hexAt(text, end + 1, 4) : -1;
      if (unit >= 0) {
        end += 5;
        if (!isInvisible(unit)) write(unit);
      } else if (next === 10) end += 1;
      else if (next === 34 || next === 39 || next === 47) {
        write(next);
        end += 1;
      } else if (simple[text.charAt(end)] !== undefined) {
        write(simple[text.charAt(end)] as number);
        end += 1;
      } else write(92);
    } else if (readsPercents && code === 37 && hexAt(text, at + 1, 2) >= 0) {
      end = percents(text, at, write);
    } else if (code === 61 && text.charCodeAt(end) === 10) end += 1;
    else if (!isInvisible(code)) write(code);
    at = end;
  }
  if (size === length) return undefined;
  starts[size] = length;
  return { text: decoder.decode(units.subarray(0, size)), starts };
}

/** One percent-encoded character of UTF-8; the end of it. */
function percents(text: string, at: number, write: (unit: number) => void): number {
  const first = hexAt(text, at + 1, 2);
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  let point = length === 1 ? first : first & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const place = at + 3 * index;
    const byte = text.charCodeAt(place) === 37 ? hexAt(text, place + 1, 2) : -1;
    if (byte < 0x80 || byte > 0xbf) {
      point = -1;
      break;
    }
    point = (point << 6) | (byte & 0x3f);
  }
  if (length === 0 || point < 0 || point > 0xffff || isInvisible(point)) {
    // Not a character of this plane: its first byte is left as it is.
    if (!(point > 0 && isInvisible(point))) write(37);
    return isInvisible(point) ? at + 3 * length : at + 1;
  }
  write(point);
  return at + 3 * length;
}

function hexAt(text: string, at: number, digits: number): number {
  if (at + digits > text.length) return -1;
  let value = 0;
  for (let index = at; index < at + digits; index++) {
    const code = text.charCodeAt(index);
    if (!isHex(code)) return -1;
    value = value * 16 + (code <= 57 ? code - 48 : (code | 32) - 87);
  }
  return value;
}
