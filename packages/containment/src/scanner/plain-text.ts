import { text as textReader } from "@toolstile/core/provider";

/** A text as a reader sees it, and what stood in it that no reader sees. */
export interface PlainText {
  /** In lower case, without invisible characters, in the letters that look alike. */
  readonly text: string;
  /** Invisible characters within words, text directions turned round, letters hidden as tags. */
  readonly hidden: number;
}

const lookAlikes: ReadonlyMap<string, string> = new Map(
  Array.from("аеорсухіѕјһԁԛԝ", (letter, index) => [letter, "aeopcyxisjhdqw".charAt(index)]),
);

const invisible =
  /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Shows what is hidden in a text, and folds the letters that stand for others. */
export function plainText(given: string): PlainText {
  let hidden = 0;
  const shown = given.normalize("NFKC").replace(invisible, (character) => {
    const code = character.codePointAt(0) as number;
    hidden += code === 0xad || code === 0x200d || code === 0xfeff ? 0 : 1;
    // Letters of the block of tags are ASCII, moved.
    return code >= 0xe0020 && code <= 0xe007e ? String.fromCharCode(code - 0xe0000) : "";
  });
  const text = shown
    .toLowerCase()
    .replace(/[\u0400-\u052f]/g, (letter) => lookAlikes.get(letter) ?? letter);
  return { text, hidden };
}

/** Writes what no reader sees as `\\u{…}`, so that a person can read a text or a definition of a tool as a model does. */
export function showInvisible(text: string): string {
  textReader().required().read(text, "showInvisible()", "text");
  return text.replace(
    invisible,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}
