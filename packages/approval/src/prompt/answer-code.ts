import { randomInt } from "node:crypto";

/** Letters that make no word, and neither letters nor digits that look like others. */
const characters = "bcdfghjkmpqrtvwxz2346789";
const length = 4;

/**
 * Makes the code to type to approve one question. It is shown with the question
 * and was not before: so nothing that was typed ahead, pasted or meant for
 * another question approves.
 */
export function newAnswerCode(last?: string): string {
  for (;;) {
    const code = Array.from({ length }, () => characters[randomInt(characters.length)]).join("");
    if (code !== last) return code;
  }
}
