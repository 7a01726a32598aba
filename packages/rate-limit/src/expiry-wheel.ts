const buckets = 64;
/** The list of rows whose bucket has passed. */
const dueList = buckets;
/** Lists are circular and each has a head; rows come after the heads. */
const heads = buckets + 1;

/**
 * Finds a row that holds nothing any more, without a look at the others.
 *
 * Rows wait in buckets of time, a sixty-fourth of the longest hold each, and
 * fall due when the whole bucket has passed. A row that was used again since is
 * not moved at each use but put back when it falls due: constant work for each
 * use, whatever the number of rows.
 */
export class ExpiryWheel {
  readonly #widthMs: number;
  #next = new Int32Array(heads);
  #previous = new Int32Array(heads);
  /** All buckets up to this one are empty. */
  #passed = Number.NEGATIVE_INFINITY;

  constructor(longestHoldMs: number) {
    // Of all buckets one is the present's, which never takes a row, and one is for rounding.
    this.#widthMs = Math.max(1, longestHoldMs) / (buckets - 2);
    for (let head = 0; head < heads; head++) this.#next[head] = this.#previous[head] = head;
  }

  grow(rows: number): void {
    const next = new Int32Array(heads + rows);
    const previous = new Int32Array(heads + rows);
    for (let node = this.#next.length; node < next.length; node++) {
      next[node] = previous[node] = node;
    }
    next.set(this.#next);
    previous.set(this.#previous);
    this.#next = next;
    this.#previous = previous;
  }

  /** Let the row fall due soon after it ceases to hold anything. It is in one list at most. */
  place(row: number, heldUntil: number, now: number): void {
    this.#pass(now);
    this.remove(row);
    if (heldUntil <= now) this.#append(row, dueList);
    else this.#wait(row, heldUntil);
  }

  /** Put back a row that fell due but still holds something. */
  putBack(row: number, heldUntil: number, now: number): void {
    this.#pass(now);
    this.remove(row);
    this.#wait(row, heldUntil);
  }

  remove(row: number): void {
    const node = heads + row;
    const next = this.#next[node] as number;
    const previous = this.#previous[node] as number;
    this.#next[previous] = next;
    this.#previous[next] = previous;
    this.#next[node] = this.#previous[node] = node;
  }

  /** The first row that fell due, or -1. */
  due(now: number): number {
    this.#pass(now);
    const node = this.#next[dueList] as number;
    return node === dueList ? -1 : node - heads;
  }

  #wait(row: number, heldUntil: number): void {
    const bucket = Math.ceil(heldUntil / this.#widthMs);
    const soonest = this.#passed + 1;
    const latest = this.#passed + buckets - 1;
    this.#append(row, headOf(Math.min(Math.max(bucket, soonest), latest)));
  }

  #append(row: number, head: number): void {
    const node = heads + row;
    const last = this.#previous[head] as number;
    this.#next[last] = node;
    this.#previous[node] = last;
    this.#next[node] = head;
    this.#previous[head] = node;
  }

  /** Move the rows of every bucket that has passed to the due list. */
  #pass(now: number): void {
    const present = Math.floor(now / this.#widthMs);
    if (present <= this.#passed) return;
    const from = Math.max(this.#passed, present - buckets);
    for (let bucket = from + 1; bucket <= present; bucket++) this.#moveToDue(headOf(bucket));
    this.#passed = present;
  }

  #moveToDue(head: number): void {
    const first = this.#next[head] as number;
    if (first === head) return;
    const last = this.#previous[head] as number;
    const lastDue = this.#previous[dueList] as number;
    this.#next[lastDue] = first;
    this.#previous[first] = lastDue;
    this.#next[last] = dueList;
    this.#previous[dueList] = last;
    this.#next[head] = this.#previous[head] = head;
  }
}

function headOf(bucket: number): number {
  const rest = bucket % buckets;
  return rest < 0 ? rest + buckets : rest;
}
