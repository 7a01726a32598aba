import { mkdirSync, type Stats, statSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { checkOptions, quoted, ToolstileError } from "@toolstile/core";
import { codeOf, createExclusively, unlinkIfThere } from "./exclusive-file.js";
import { expiryOf, isApprovalId, runLetters } from "./identifier.js";
import { createKeyFile, resolveKey } from "./key.js";
import { readRegularFile } from "./regular-file.js";
import { SealedTexts } from "./sealed-text.js";
import type { ApprovalRecord, ApprovalStore, ApproverAnswer, AskedApproval } from "./store.js";

export interface FileStoreOptions {
  /** What seals the files: at least 32 random bytes, or the path of a file that holds them. Default: the file `key` in the folder, made when absent. */
  readonly key?: Uint8Array | string | undefined;
  /** With `false`, a folder that is not there is an error. Default `true`: it is made. */
  readonly create?: boolean | undefined;
}

/** Endings of the files of one approval. Each is made once, whole, and never written to. What is over is no more `asked`, but `closed`. */
const endings = {
  asked: ".asked",
  answered: ".answered",
  used: ".used",
  closed: ".closed",
} as const;
/** Ending of the file that says of a run that a grant was used: it bears the grant's time and the run's name. */
const ranEnding = ".ran";
/** How long what has expired is kept: no host's clock may be further behind another's. */
const graceMs = 3_600_000;
const longestFile = 33_554_432;

/**
 * Keeps approvals in a folder, which any number of processes of one machine may share.
 *
 * They survive restarts and `kill -9`. A file that was edited or damaged never
 * approves: each is sealed with a key.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` where the folder or the key cannot be used.
 */
export function fileStore(folder: string, options: FileStoreOptions = {}): ApprovalStore {
  checkOptions("fileStore()", options, ["key", "create"]);
  if (typeof folder !== "string" || folder === "") {
    throw new ToolstileError("ERR_INVALID_OPTION", "fileStore() takes the path of a folder.");
  }
  const create = !Object.hasOwn(options, "create") || options.create !== false;
  const key = Object.hasOwn(options, "key") ? options.key : undefined;
  prepare(folder, create);
  if (key === undefined && create) createKeyFile(join(folder, "key"));
  const texts = new SealedTexts(resolveKey(key ?? join(folder, "key")));
  const at = (id: string, ending: string) => join(folder, id + ending);

  async function readAsked(id: string): Promise<AskedApproval | undefined> {
    const text = isApprovalId(id) ? await textOf(at(id, endings.asked)) : undefined;
    return text === undefined ? undefined : texts.readAsked(id, text);
  }

  /** What nobody has settled. */
  async function readOpen(id: string): Promise<ApprovalRecord | undefined> {
    return withAnswer(await readAsked(id));
  }

  async function withAnswer(asked: AskedApproval | undefined): Promise<ApprovalRecord | undefined> {
    if (asked === undefined) return undefined;
    const { id } = asked;
    const text = await textOf(at(id, endings.answered));
    const answer = text === undefined ? undefined : texts.readAnswered(asked, text);
    // Somebody's answer is no more to be read: that it was a yes must not be guessed.
    if (text !== undefined && answer === undefined) return undefined;
    return Object.freeze({ ...asked, answer, used: await exists(at(id, endings.used)) });
  }

  /** Nothing that is left of it can be had back as a question: what is kept is sealed as another kind of text. */
  async function close(asked: AskedApproval, answer: ApproverAnswer): Promise<void> {
    await createExclusively(at(asked.id, endings.closed), texts.closed(asked, answer));
    await unlinkIfThere(at(asked.id, endings.asked));
  }

  async function readClosed(id: string): Promise<ApprovalRecord | undefined> {
    const text = isApprovalId(id) ? await textOf(at(id, endings.closed)) : undefined;
    return text === undefined ? undefined : texts.readClosed(id, text);
  }

  async function openIds(now: number): Promise<readonly string[]> {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith(endings.asked))
      .map((name) => name.slice(0, -endings.asked.length))
      .filter((id) => isApprovalId(id) && now < expiryOf(id));
  }

  async function add(...[asked, { maxOpen, now }]: Parameters<ApprovalStore["add"]>) {
    await sweep(folder, now);
    if ((await openIds(now)).length >= maxOpen) return false;
    if (!(await createExclusively(at(asked.id, endings.asked), texts.asked(asked)))) return false;
    // Other processes may have added theirs since: who comes out above the limit takes its own back.
    if ((await openIds(now)).length <= maxOpen) return true;
    await unlinkIfThere(at(asked.id, endings.asked));
    return false;
  }

  /** One after the other: of those that come at once here, as many as may are added. */
  let lastAdded: Promise<unknown> = Promise.resolve();

  return Object.freeze<ApprovalStore>({
    add(asked, limit) {
      const turn = lastAdded.then(() => add(asked, limit));
      lastAdded = turn.catch(() => {});
      return turn;
    },
    async read(id) {
      return (await readOpen(id)) ?? readClosed(id);
    },
    async list(now) {
      const records: ApprovalRecord[] = [];
      const damaged: string[] = [];
      for (const id of await openIds(now)) {
        const record = await readOpen(id);
        if (record === undefined) {
          // It may also have been settled since the folder was read.
          if (await exists(at(id, endings.asked))) damaged.push(id);
        } else if (!record.used && record.answer?.decision !== "denied") {
          records.push(record);
        }
      }
      return { records, damaged };
    },
    async answer(id, answer: ApproverAnswer) {
      const asked = await readAsked(id);
      if (asked === undefined || !(answer.at < asked.expiresAt)) return false;
      const text = texts.answered(asked, answer);
      if (!(await createExclusively(at(id, endings.answered), text))) return false;
      if (answer.decision === "denied") await close(asked, answer);
      return true;
    },
    async consume(id, binding, now) {
      const record = await readOpen(id);
      if (record?.answer?.decision !== "approved" || record.binding !== binding) return false;
      if (!(now < record.expiresAt)) return false;
      if (!(await createExclusively(at(id, endings.used), ""))) return false;
      const [time] = id.split("-");
      const run = `${time}-${runLetters(record.question.runId)}`;
      await createExclusively(at(run, ranEnding), "");
      await close(record, record.answer);
      return true;
    },
    async hasUsed(runId) {
      const ending = `-${runLetters(runId)}${ranEnding}`;
      return (await readdir(folder)).some((name) => name.endsWith(ending));
    },
    async withdraw(id) {
      if (isApprovalId(id)) await unlinkIfThere(at(id, endings.asked));
    },
  });
}

function prepare(folder: string, create: boolean): void {
  try {
    if (create) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = statSync(folder);
    if (stats.isDirectory()) {
      requireOnlyOwnerWrites(folder, stats);
      return;
    }
  } catch (cause) {
    if (ToolstileError.isInstance(cause)) throw cause;
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      `The folder of approvals ${quoted(folder.slice(-64))} cannot be used (${String(codeOf(cause))}).`,
      { cause },
    );
  }
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `The folder of approvals ${quoted(folder.slice(-64))} is no folder.`,
  );
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for a folder in which anybody may delete and rename what is ours. */
function requireOnlyOwnerWrites(folder: string, { mode }: Stats): void {
  // Windows has no such bits. With the sticky one, others can only add.
  if (process.platform === "win32" || (mode & 0o002) === 0 || (mode & 0o1000) !== 0) return;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    `The folder of approvals ${quoted(folder.slice(-64))} may be written to by anybody, who could take back what was answered and used. Run chmod 700 on it.`,
  );
}

/** Deletes what expired long ago. That a grant was used is deleted last. */
async function sweep(folder: string, now: number): Promise<void> {
  const names = new Set(await readdir(folder));
  for (const name of names) {
    const id = name.slice(0, name.indexOf("."));
    if (!isApprovalId(id) || expiryOf(id) + graceMs > now) continue;
    const rests = [...Object.values(endings).map((ending) => id + ending), name];
    for (const rest of rests) if (names.has(rest)) await unlinkIfMay(join(folder, rest));
  }
}

/** What somebody else put there stays, and is in nobody's way. */
async function unlinkIfMay(path: string): Promise<void> {
  try {
    await unlinkIfThere(path);
  } catch (error) {
    if (!["EISDIR", "EPERM", "EACCES"].includes(String(codeOf(error)))) throw error;
  }
}

/** The text of a file; empty, and so no sealed text, for anything there that cannot be one. */
async function textOf(path: string): Promise<string | undefined> {
  const bytes = await readRegularFile(path, longestFile);
  if (bytes === "absent") return undefined;
  if (bytes === "unreadable") return "";
  try {
    // Bytes that are no UTF-8 must not read as any that are.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "";
  }
}

/** Whether there is anything of this name, be it a link to nowhere. */
async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}
