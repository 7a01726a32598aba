/** A destination of text: a terminal, a pipe, or a test's list. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

/** The world around the command: all that it writes to and reads its settings from. */
export interface Terminal {
  /** The stream for the command's result. */
  readonly out: TextStream;
  /** The stream for everything else: progress and complaints. */
  readonly err: TextStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

export type Paint = (text: string) => string;

/** The colours of one stream; each leaves text as it is where colour is not wanted. */
export interface Palette {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly magenta: Paint;
  readonly cyan: Paint;
}

/** Colours on a terminal only, and never with `NO_COLOR` set (https://no-color.org) or on a dumb one. */
export function palette(
  stream: TextStream,
  environment: Readonly<Record<string, string | undefined>>,
): Palette {
  const coloured = stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== "dumb";
  const paint = (start: number, end: number): Paint =>
    coloured ? (text) => `\u001b[${start}m${text}\u001b[${end}m` : (text) => text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    magenta: paint(35, 39),
    cyan: paint(36, 39),
  };
}

/**
 * Characters that a terminal or a page would obey, or would not show, or would show as a part of the one before.
 *
 * Scripts without capital letters write vowels and tones as marks: up to three in a row are shown behind their letters.
 */
export const unprintable =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\p{M}(?<!\p{Lo}\p{M}{0,2}\p{M})/gu;

/** Text from outside, without anything that a terminal would obey. */
export function printable(text: string): string {
  return text.replace(
    unprintable,
    (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`,
  );
}

/** A line of JSON, without anything that a terminal would obey. */
export function printableJson(value: unknown): string {
  const text = JSON.stringify(value).replace(unprintable, (character) =>
    Array.from({ length: character.length }, (_, unit) => escaped(character, unit)).join(""),
  );
  return `${text}\n`;
}

function escaped(character: string, unit: number): string {
  return `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`;
}

const thousands = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A whole number as people read it: 6,026. */
export function counted(value: number): string {
  return thousands.format(value);
}
