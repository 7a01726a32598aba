/** The part of what is kept that is kept from the end. */
const tailShare = 1 / 4;

/** The middle of a text, which is left out. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Cuts the middle out of a text that is longer, so that it has at most so many characters, its notice included. */
export function cutText(text: string, most: number, id: string): string {
  if (text.length <= most) return text;
  const { from, to } = gapIn(text, most, id);
  return `${text.slice(0, from)}${noticeOf(to - from, id)}${text.slice(to)}`;
}

/** Finds the middle to leave out of a text that is longer than that. No character beyond U+FFFF is halved. */
export function gapIn(text: string, most: number, id: string): Gap {
  const longest = noticeOf(text.length, id).length;
  // Left out is also what makes room for the notice, and for a half of a pair at both ends.
  const notice = noticeOf(text.length - most + longest + 2, id).length;
  const kept = most - notice;
  const tail = Math.floor(kept * tailShare);
  const from = kept - tail;
  const to = text.length - tail;
  return {
    from: isWithinPair(text, from) ? from - 1 : from,
    to: isWithinPair(text, to) ? to + 1 : to,
  };
}

export function noticeOf(leftOut: number, id: string): string {
  return `\n[… ${leftOut} characters left out by the rule ${id} …]\n`;
}

function isWithinPair(text: string, place: number): boolean {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff;
}
