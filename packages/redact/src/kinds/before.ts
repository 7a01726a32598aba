/** The place of an item in a text, in UTF-16 units. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/** The contexts that words before an item give it. */
export const contexts = [
  "awsSecret",
  "azureKey",
  "twilio",
  "phone",
  "ssn",
  "card",
  "number",
  "version",
] as const;
export type Context = (typeof contexts)[number];

/** The numbers of the contexts. */
export const said = Object.fromEntries(contexts.map((name, number) => [name, number])) as Readonly<
  Record<Context, number>
>;

/** No word reaches farther. */
const nearWord = 101;
const longestWord = 24;
/** A word for other numbers reaches so far. */
const nearOther = 32;

/** Words of these say that what follows is something else. */
const contrary: readonly number[] = [said.number, said.version];

/** The words that the pass has read before the place that is judged. */
export class Before {
  readonly #ends = new Float64Array(contexts.length).fill(Number.NEGATIVE_INFINITY);
  /** The names in the whole text that were looked up, which costs far more than reading. */
  lookUps = new Set<number | string>();
  /** Rows of start and end of what was looked at behind a word for a password or the head of a key, over line breaks. */
  values: number[] = [];
  /** Rows of what was in doubt: its start and end, and the first and the last place at which a detector was asked. */
  doubts: number[] = [];
  /** Up to here, an item stands in which nothing else is looked for, and no escape hides anything. */
  passedTo = 0;
  #foundFrom = 0;
  #foundTo = 0;
  /** The ends of the words before the first place. */
  readonly #first = new Float64Array(contexts.length).fill(Number.NEGATIVE_INFINITY);
  /** Rows of each word that was read: the greatest end up to it, its end and its context; -1 for a mark. */
  #log: number[] = [];
  #farthest = 0;

  /** True if a word of that context ends at most so many units before `at`, with no mark between. */
  says(context: number, at: number, within: number): boolean {
    return this.since(context, at) <= within;
  }

  /** The units between the last word of that context and `at`, with no mark between; infinite if there is none. */
  since(context: number, at: number): number {
    return at - (this.#ends[context] as number);
  }

  note(context: number, end: number): void {
    this.#remember(context, end);
    this.#ends[context] = Math.max(end, this.#ends[context] as number);
  }

  /** At the end of a mark: what it hid is not known, and no word before it says anything of what follows. */
  passMark(end: number): void {
    this.#remember(-1, end);
    this.#ends.fill(Number.NEGATIVE_INFINITY);
  }

  /** At a finding. What stands in it is masked with it, and is not in doubt. */
  passFinding({ start, end }: Place): void {
    if (start > this.#foundTo || end < this.#foundFrom) {
      this.#foundFrom = start;
      this.#foundTo = end;
      return;
    }
    this.#foundFrom = Math.min(start, this.#foundFrom);
    this.#foundTo = Math.max(end, this.#foundTo);
  }

  /** True if a word says that a number at `at` is something else: in doubt, were the word masked. */
  saysOther(at: number): boolean {
    if (!this.says(said.number, at, nearOther)) return false;
    this.doubt(at, at - nearOther - longestWord, at);
    return true;
  }

  /**
   * A detector that finds nothing at its anchor or digits says so if it might, were a part of what stands between
   * `start` and `end` masked.
   */
  doubt(at: number, start: number, end: number): void {
    if (at >= this.#foundFrom && at < this.#foundTo) return;
    const { doubts } = this;
    const last = doubts.length - 4;
    // One after the other, most are one.
    const isOne =
      last >= 0 && start <= (doubts[last + 1] as number) && start >= (doubts[last] as number);
    if (isOne) {
      if (end > (doubts[last + 1] as number)) doubts[last + 1] = end;
      doubts[last + 3] = at;
    } else doubts.push(start, end, at, at);
  }

  /** At an item that is one as a whole: a token, or a private key with both of its ends, which is read with the escapes in it. */
  passOver(end: number): void {
    this.passedTo = end;
  }

  noteValue(start: number, end: number): void {
    const { values } = this;
    const last = values.length - 1;
    // One after the other, most are one.
    if (last < 0 || start > (values[last] as number)) values.push(start, end);
    else if (end > (values[last] as number)) values[last] = end;
  }

  #remember(context: number, end: number): void {
    this.#farthest = Math.max(end, this.#farthest);
    this.#log.push(this.#farthest, end, context);
  }

  /** The row in the log of the last word up to `at`, a place within no word; less than 0 if there is none. */
  #rowUpTo(at: number): number {
    const log = this.#log;
    let low = 0;
    let high = log.length / 3;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((log[3 * middle] as number) <= at) low = middle + 1;
      else high = middle;
    }
    return 3 * low - 3;
  }

  /** True if a word or a mark up to `at`, a place within no word, says something of what stands behind it. */
  reachesBehind(at: number): boolean {
    return (this.#log[this.#rowUpTo(at)] ?? Number.NEGATIVE_INFINITY) >= at - nearWord;
  }

  /** Begins anew at a place `at`, with the words that another has read up to `last`, a place within no word. */
  beginAt(at: number, other: Before, last = at): void {
    const ends = this.#ends;
    const first = this.#first;
    const log = other.#log;
    // A loop for so few takes less than `fill` and `set` do.
    for (let each = 0; each < ends.length; each++) ends[each] = Number.NEGATIVE_INFINITY;
    let isMark = false;
    for (let row = other.#rowUpTo(last); row >= 0 && !isMark; row -= 3) {
      if ((log[row] as number) < last - nearWord) break;
      const context = log[row + 2] as number;
      isMark = context < 0;
      if (!isMark) ends[context] = Math.max(log[row + 1] as number, ends[context] as number);
    }
    for (let each = 0; each < ends.length; each++) {
      const end = ends[each] as number;
      ends[each] = (isMark ? end : Math.max(end, other.#first[each] as number)) - at;
      first[each] = ends[each] as number;
    }
    this.#forget();
  }

  /** True if a word that ends up to `last` says something of what stands behind the end of the text. */
  saysBehind(last: number, length: number): boolean {
    for (let context = 0; context < this.#ends.length; context++) {
      const end = this.#ends[context] as number;
      if (end <= last + longestWord && length - end <= nearWord && !contrary.includes(context))
        return true;
    }
    return false;
  }

  /** True if behind a word that begins up to `last` a value was looked for as far as `end`. */
  looksBehind(last: number, end: number): boolean {
    for (let row = 0; row < this.values.length; row += 2)
      if ((this.values[row] as number) <= last && (this.values[row + 1] as number) >= end)
        return true;
    return false;
  }

  #forget(): void {
    if (this.values.length > 0) this.values = [];
    if (this.doubts.length > 0) this.doubts = [];
    this.passedTo = 0;
    if (this.#log.length > 0) this.#log = [];
    this.#farthest = 0;
    this.#foundFrom = 0;
    this.#foundTo = 0;
  }

  /**
   * Takes over what another has read before a place `behind`, for a text that stands from `at` on in another form.
   *
   * Words behind it are none: they are letters of the other form.
   */
  takeOver(other: Before, behind: number, at: number): void {
    this.lookUps = other.lookUps;
    this.beginAt(at, other, behind);
  }
}
