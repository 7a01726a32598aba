import { readdir } from "node:fs/promises";
import { isApprovalId, lettersOf } from "../record/approval-id.js";
import type { ApprovalRecord, ApproverAnswer, AskedApproval } from "../record/record.js";
import { isOver } from "../record/state.js";
import { type ApprovalFiles, endings, ranEnding } from "./approval-files.js";
import { Journal } from "./journal.js";
import { KnownApprovals } from "./known-approvals.js";
import { Multimap } from "./multimap.js";
import { type ApprovalKeys, keysOf, type Sought, type SoughtCall, soughtKey } from "./sought.js";

const keptEndings: readonly string[] = Object.values(endings);
/** Each question adds one approval and deletes so many: what is left of a busy hour is gone soon. */
const sweptAtOnce = 16;

/**
 * Finds the approvals of a folder by what they have in common, as all processes that share it left them.
 *
 * It is made from the folder's files, and kept up to date by its journal. It only
 * says where to look: whoever finds an id here reads and verifies its files. It
 * may name one that is gone, and lacks none that is there, because the line that
 * an approval is asked comes before its file, and the line that it is over comes
 * after.
 */
export class FolderIndex {
  readonly #folder: string;
  readonly #files: ApprovalFiles;
  readonly #journal: Journal;
  readonly #known = new KnownApprovals();
  /** Files that a crash left, by the approval with which they are deleted. */
  readonly #leftovers = new Multimap<string>();
  /** The approvals that expired long ago, and whose files could not be deleted yet. */
  readonly #undeleted = new Set<string>();
  #isScanned = false;
  #scanning: Promise<void> | undefined;

  constructor(folder: string, files: ApprovalFiles) {
    this.#folder = folder;
    this.#files = files;
    this.#journal = new Journal(folder);
  }

  /** Learns what this and other processes did until now. */
  async update(): Promise<void> {
    for (;;) {
      if (!this.#journal.read((words) => this.#learn(words))) this.#isScanned = false;
      if (this.#scanning === undefined) {
        if (this.#isScanned) return;
        this.#isScanned = true;
        this.#scanning = this.#scan()
          .catch((error: unknown) => {
            this.#isScanned = false;
            throw error;
          })
          .finally(() => {
            this.#scanning = undefined;
          });
      }
      await this.#scanning;
    }
  }

  /** The ids of open approvals that may be sought, and of few others. */
  find(sought: Exclude<Sought, { id: string }>, now: number): readonly string[] {
    const [kind, key] = soughtKey(sought);
    return [...this.#known.find(kind, lettersOf(key), now)];
  }

  findRefused(call: SoughtCall): readonly string[] {
    return [...this.#known.refused(lettersOf(soughtKey(call)[1]))];
  }

  /** The number of open approvals, or a little more where a process crashed. */
  openAt(now: number): number {
    return this.#known.openAt(now);
  }

  hasUsed(runId: string): boolean {
    return this.#known.hasRun(lettersOf(runId));
  }

  /**
   * Says that an approval is about to be asked, before there is its file.
   *
   * @throws the system's errors: then the file must not be made.
   */
  asking(asked: AskedApproval): void {
    const { run, likeness, call } = letteredKeys(asked);
    this.#journal.append(["asked", asked.id, run, likeness, call]);
  }

  /**
   * Says that a grant is about to be used, and returns the name of the file to keep that of its run.
   *
   * @throws the system's errors: then nothing may be run.
   */
  using({ id, question }: AskedApproval): string {
    const run = lettersOf(question.runId);
    this.#journal.append(["used", id, run]);
    return ranName(id, run);
  }

  /** Says that an approval has its answer. */
  answered(asked: AskedApproval, decision: ApproverAnswer["decision"]): void {
    if (decision === "approved") this.#say(["approved", asked.id]);
    else this.#say(["refused", asked.id, letteredKeys(asked).call]);
  }

  withdrawn(id: string): void {
    this.#say(["withdrawn", id]);
  }

  /** Learns of an approval that was just read, whoever put it there. */
  saw(record: ApprovalRecord): void {
    const { id, question, answer, used } = record;
    if (!this.#isScanned) return;
    if (isOver(record)) {
      this.#known.over(id, used ? undefined : letteredKeys(record).call);
      if (used) this.#known.ran(ranName(id, lettersOf(question.runId)));
      return;
    }
    if (!this.#known.has(id)) this.#known.asked(id, letteredKeys(record));
    if (answer !== undefined) this.#known.approved(id);
  }

  /**
   * Deletes the files of what expired long ago: of some approvals each time, so that nothing else waits long.
   *
   * A file that cannot be deleted is tried again the next time, beside others: no question is denied for it.
   */
  async sweep(now: number): Promise<void> {
    this.#journal.sweep(now);
    const again = [...this.#undeleted].slice(0, sweptAtOnce);
    const swept = [...again, ...this.#known.sweep(now, sweptAtOnce)];
    await Promise.all(swept.map((id) => this.#delete(id)));
  }

  async #delete(id: string): Promise<void> {
    const leftovers = [...this.#leftovers.of(id)];
    this.#undeleted.delete(id);
    try {
      await this.#files.delete(id, leftovers);
    } catch {
      this.#undeleted.add(id);
      return;
    }
    for (const name of leftovers) this.#leftovers.delete(id, name);
  }

  /** Adds a line. Without it, others look at one file more. */
  #say(words: Parameters<Journal["append"]>[0]): void {
    try {
      this.#journal.append(words);
    } catch {
      // What it says has been done, and stands in the files.
    }
  }

  #learn([what, id, ...keys]: readonly string[]): void {
    if (!isApprovalId(id)) return;
    const [first = "", likeness = "", call = ""] = keys;
    if (what === "asked") this.#known.asked(id, { run: first, likeness, call });
    if (what === "approved") this.#known.approved(id);
    if (what === "refused") this.#known.over(id, first);
    if (what === "withdrawn") this.#known.over(id);
    if (what === "used") {
      this.#known.over(id);
      const name = ranName(id, first);
      // It becomes a part of a path.
      if (isApprovalId(name)) this.#known.ran(name);
    }
  }

  /** Learns what the journal does not tell: of files that were there before it, or were brought. */
  async #scan(): Promise<void> {
    const unknown = new Set<string>();
    for (const name of await readdir(this.#folder)) {
      const id = name.slice(0, name.indexOf("."));
      if (!isApprovalId(id)) continue;
      this.#known.keep(id);
      const ending = name.slice(id.length);
      if (ending === ranEnding) this.#known.ran(id);
      else if (!keptEndings.includes(ending)) this.#leftovers.add(id, name);
      else if (!this.#known.has(id)) unknown.add(id);
    }
    for (const id of unknown) {
      const record = this.#files.readOpen(id) ?? this.#files.readClosed(id);
      if (record !== undefined) this.saw(record);
      else if (this.#files.isAsked(id)) this.#known.asked(id, undefined);
    }
  }
}

function ranName(id: string, run: string): string {
  return `${id.slice(0, id.indexOf("-"))}-${run}`;
}

function letteredKeys(asked: AskedApproval): ApprovalKeys {
  const { run, likeness, call } = keysOf(asked);
  return { run: lettersOf(run), likeness: lettersOf(likeness), call: lettersOf(call) };
}
