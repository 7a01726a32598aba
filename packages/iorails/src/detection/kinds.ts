import { type Characters, contains } from "./characters.js";

/** The kind of what comes after the last character: it is in no set. */
export const endOfText = 0;

const mostKinds = 2_000;
const mostRemembered = 20_000;
const ascii = 128;

/** Characters that the same sets contain are of one kind, a number from 1 on. */
export class Kinds {
  readonly #sets: readonly Characters[];
  readonly #byMembership = new Map<string, number>();
  readonly #ofAscii = new Uint16Array(ascii);
  readonly #ofOthers = new Map<number, number>();
  /** By kind: in which sets its characters are. */
  #members: (readonly boolean[])[] = [[]];

  constructor(sets: readonly Characters[]) {
    this.#sets = sets;
  }

  get full(): boolean {
    return this.#members.length > mostKinds;
  }

  of(point: number): number {
    const known = point < ascii ? this.#ofAscii[point] : this.#ofOthers.get(point);
    return known === undefined || known === 0 ? this.#learn(point) : known;
  }

  has(kind: number, set: number): boolean {
    return this.#members[kind]?.[set] === true;
  }

  forget(): void {
    this.#byMembership.clear();
    this.#ofAscii.fill(0);
    this.#ofOthers.clear();
    this.#members = [[]];
  }

  #learn(point: number): number {
    const members = this.#sets.map((set) => contains(set, point));
    const key = members.map(Number).join("");
    let kind = this.#byMembership.get(key);
    if (kind === undefined) {
      kind = this.#members.push(members) - 1;
      this.#byMembership.set(key, kind);
    }
    if (this.#ofOthers.size >= mostRemembered) this.#ofOthers.clear();
    if (point < ascii) this.#ofAscii[point] = kind;
    else this.#ofOthers.set(point, kind);
    return kind;
  }
}
