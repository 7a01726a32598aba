import type { Redactor } from "@toolstile/redact";

/** Words before a line may say what stands in it. */
const wordsBefore = 256;

/** The findings in each line of a text that comes in pieces. Lines are looked at together: a private key has many. */
export class FindingLines {
  readonly #redactor: Redactor;
  #text = "";
  /** The beginning of the first line that was not reported. */
  #next = 0;
  /** True if a line ends in the part that was not reported. Until one does, nothing is looked for. */
  #hasLine = false;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** One JSON list a line, for the lines that no later piece can change. */
  push(piece: string): string {
    this.#text += piece;
    this.#hasLine ||= piece.includes("\n");
    const ready = this.#text.length - this.#redactor.holdback;
    if (!this.#hasLine) return "";
    return ready - this.#next < this.#redactor.holdback ? "" : this.#report(ready, false);
  }

  /** The rest; a last line may lack its end. */
  end(): string {
    return this.#report(this.#text.length, true);
  }

  #report(upTo: number, isLast: boolean): string {
    const text = this.#text;
    const found = this.#redactor.find(text);
    const lists: string[] = [];
    let first = 0;
    for (;;) {
      const newline = text.indexOf("\n", this.#next);
      const end = newline === -1 ? text.length : newline;
      if (newline === -1 ? !isLast || this.#next === text.length : newline >= upTo && !isLast)
        break;
      const start = this.#next;
      while (first < found.length && (found[first]?.end ?? 0) <= start) first += 1;
      const list: object[] = [];
      for (let index = first; index < found.length; index++) {
        const finding = found[index];
        if (finding === undefined || finding.start >= end) break;
        list.push({
          start: Math.max(0, finding.start - start),
          end: Math.min(end, finding.end) - start,
          kind: finding.kind,
        });
      }
      lists.push(`${JSON.stringify(list)}\n`);
      this.#next = newline === -1 ? text.length : newline + 1;
    }
    const kept = Math.max(0, this.#next - this.#redactor.holdback - wordsBefore);
    this.#text = text.slice(kept);
    this.#next -= kept;
    this.#hasLine = this.#text.includes("\n", this.#next);
    return lists.join("");
  }
}
