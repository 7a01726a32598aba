import { lstatSync } from "node:fs";
import { lstat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, createFile, isAbsent, readRegularFile, removeFile } from "@toolstile/core/files";
import { isApprovalId } from "../record/approval-id.js";
import type { ApprovalRecord, ApproverAnswer, AskedApproval } from "../record/record.js";
import type { SealedTexts } from "./sealed-text.js";

/** Endings of the files of one approval. Each is created once, whole, and never written to. A closed approval has no `asked` file any more. */
export const endings = {
  asked: ".asked",
  answered: ".answered",
  used: ".used",
  closed: ".closed",
} as const;
/** Ending of the file that says of a run that a grant was used: it bears the grant's time and the run's name. */
export const ranEnding = ".ran";
const longestFile = 33_554_432;

/** The sealed files of the approvals in a folder. */
export class ApprovalFiles {
  readonly #folder: string;
  readonly #texts: SealedTexts;

  constructor(folder: string, texts: SealedTexts) {
    this.#folder = folder;
    this.#texts = texts;
  }

  /** True if there is a question, even one that cannot be read. */
  isAsked(id: string): boolean {
    return exists(this.#at(id, endings.asked));
  }

  readAsked(id: string): AskedApproval | undefined {
    const text = isApprovalId(id) ? sealedTextIn(this.#at(id, endings.asked)) : undefined;
    return text === undefined ? undefined : this.#texts.readAsked(id, text);
  }

  /** Reads an approval that is pending, or approved and not closed yet. */
  readOpen(id: string): ApprovalRecord | undefined {
    const asked = this.readAsked(id);
    if (asked === undefined) return undefined;
    const text = sealedTextIn(this.#at(id, endings.answered));
    const answer = text === undefined ? undefined : this.#texts.readAnswered(asked, text);
    // There is an answer that cannot be read: it must not be taken for a yes.
    if (text !== undefined && answer === undefined) return undefined;
    return Object.freeze({ ...asked, answer, used: exists(this.#at(id, endings.used)) });
  }

  readClosed(id: string): ApprovalRecord | undefined {
    const text = isApprovalId(id) ? sealedTextIn(this.#at(id, endings.closed)) : undefined;
    return text === undefined ? undefined : this.#texts.readClosed(id, text);
  }

  ask(asked: AskedApproval): Promise<boolean> {
    return createFile(this.#at(asked.id, endings.asked), this.#texts.asked(asked));
  }

  answer(asked: AskedApproval, answer: ApproverAnswer): Promise<boolean> {
    const text = this.#texts.answered(asked, answer);
    return createFile(this.#at(asked.id, endings.answered), text);
  }

  use(id: string): Promise<boolean> {
    return createFile(this.#at(id, endings.used), "");
  }

  /** Keeps that a run has used a grant. */
  async keepRan(name: string): Promise<void> {
    await createFile(this.#at(name, ranEnding), "");
  }

  /** Closes an approval. The rest is sealed as another kind of text, so that it cannot become a question again. */
  async close(asked: AskedApproval, answer: ApproverAnswer): Promise<void> {
    await createFile(this.#at(asked.id, endings.closed), this.#texts.closed(asked, answer));
    removeFile(this.#at(asked.id, endings.asked));
  }

  withdraw(id: string): void {
    removeFile(this.#at(id, endings.asked));
  }

  /** Deletes all of one that expired long ago. The files that say that a grant was used are deleted last. */
  async delete(id: string, leftovers: readonly string[]): Promise<void> {
    const { asked, answered, used, closed } = endings;
    const names = [asked, answered].map((ending) => id + ending);
    await Promise.all([...names, ...leftovers].map((name) => remove(join(this.#folder, name))));
    for (const ending of [used, closed, ranEnding]) await remove(this.#at(id, ending));
  }

  #at(id: string, ending: string): string {
    return join(this.#folder, id + ending);
  }
}

/** Removes a file, and does not hold up the event loop while the disk is busy. */
async function remove(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!(await mayStay(path, error))) throw error;
  }
}

/** True if a file could not be removed because there is none, or because another user put it there: it does no harm. */
async function mayStay(path: string, error: unknown): Promise<boolean> {
  if (isAbsent(error) || codeOf(error) === "EISDIR") return true;
  if (!["EPERM", "EACCES"].includes(String(codeOf(error)))) return false;
  const owner = await lstat(path).then(
    ({ uid }) => uid,
    () => undefined,
  );
  return owner !== undefined && owner !== process.geteuid?.();
}

/** The codes of errors that say that a file of the store was replaced by something else. */
export const replacedCodes: readonly unknown[] = ["ENOTREG", "EFBIG", "EACCES", "EPERM"];

/** Returns the text of a file, or an empty one, which is never a sealed text, for anything else that stands there. */
function sealedTextIn(path: string): string | undefined {
  let bytes: Uint8Array;
  try {
    bytes = readRegularFile(path, { mostBytes: longestFile });
  } catch (error) {
    if (isAbsent(error)) return undefined;
    if (replacedCodes.includes(codeOf(error))) return "";
    throw error;
  }
  try {
    // Bytes that are not UTF-8 must not read like any that are.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "";
  }
}

/** True if there is anything of this name, even a link to nowhere. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
