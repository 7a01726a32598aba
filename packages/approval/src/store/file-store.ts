import { type FSWatcher, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { boolean, type OptionTable, optionError, readOptions } from "@toolstile/core/provider";
import { expiryOf, isApprovalId } from "../record/approval-id.js";
import type { ApprovalRecord, ApproverAnswer } from "../record/record.js";
import { isOver } from "../record/state.js";
import { ApprovalFiles, endings } from "./approval-files.js";
import { prepareFolder } from "./folder.js";
import { FolderIndex } from "./folder-index.js";
import { createKeyFile, keyOption, resolveKey } from "./key.js";
import { SealedTexts } from "./sealed-text.js";
import { isSought, mostOf, type Sought } from "./sought.js";
import type { ApprovalStore } from "./store.js";
import { Watchers } from "./watchers.js";

export interface FileStoreOptions {
  /** The key that seals the files: at least 32 random bytes, or the path of a file with them. Default: the file `key` in the folder, created if absent. */
  readonly key?: Uint8Array | string | undefined;
  /** With `false`, a folder that is not there is an error. Default `true`: it is made. */
  readonly create?: boolean | undefined;
}

const fileTable = {
  key: keyOption,
  create: boolean().default(true),
} satisfies OptionTable<FileStoreOptions>;

/** A count of the folder's files is paid for by one refusal for so many of them. */
const countedForOneRefusal = 256;

/**
 * Keeps approvals in a folder, which any number of processes of one machine may share.
 *
 * They survive restarts and `kill -9`. A file that was edited or damaged never
 * approves: each is sealed with a key.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` where the folder or the key cannot be used.
 */
export function fileStore(folder: string, options: FileStoreOptions = {}): ApprovalStore {
  const { key, create } = readOptions("fileStore()", options, fileTable);
  if (typeof folder !== "string" || folder === "") {
    throw optionError("fileStore()", "folder", "the path of a folder", folder);
  }
  prepareFolder(folder, create);
  if (key === undefined && create) createKeyFile(join(folder, "key"));
  const texts = new SealedTexts(resolveKey("fileStore()", key ?? join(folder, "key")));
  const files = new ApprovalFiles(folder, texts);
  const index = new FolderIndex(folder, files);

  function readOpen(id: string): ApprovalRecord | undefined {
    const record = files.readOpen(id);
    if (record !== undefined) index.saw(record);
    return record;
  }

  async function idsWith(ending: string, now: number): Promise<readonly string[]> {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
      .filter((id) => isApprovalId(id) && now < expiryOf(id));
  }

  const openIds = (now: number) => idsWith(endings.asked, now);

  let refusals = 0;

  /** True if more than `most` are open. */
  async function isAbove(most: number, now: number): Promise<boolean> {
    const known = index.openAt(now);
    if (known <= most) return false;
    // Of those that the index names some may be gone. So the folder is counted, but seldom where it is large.
    refusals += 1;
    if (refusals * countedForOneRefusal < known) return true;
    refusals = 0;
    return (await openIds(now)).length > most;
  }

  async function add(...[asked, { maxOpen, now }]: Parameters<ApprovalStore["add"]>) {
    await index.update();
    await index.sweep(now);
    if (await isAbove(maxOpen - 1, now)) return false;
    index.asking(asked);
    if (!(await files.ask(asked))) return false;
    // Other processes may have added theirs since: who comes out above the limit takes its own back.
    await index.update();
    if (!(await isAbove(maxOpen, now))) return true;
    withdraw(asked.id);
    return false;
  }

  function withdraw(id: string): void {
    if (!isApprovalId(id) || !files.isAsked(id)) return;
    files.withdraw(id);
    index.withdrawn(id);
  }

  async function idsOf(sought: Sought | undefined, now: number): Promise<readonly string[]> {
    if (sought === undefined) return openIds(now);
    if ("id" in sought)
      return isApprovalId(sought.id) && now < expiryOf(sought.id) ? [sought.id] : [];
    await index.update();
    return index.find(sought, now);
  }

  const watchers = new Watchers();
  let watcher: FSWatcher | undefined;

  /** One watcher for all that wait. False where the folder cannot be watched: out of watchers, or a file system without. */
  function watchFolder(): boolean {
    try {
      watcher ??= watch(folder, { persistent: false }, (_, name) =>
        watchers.wake(name?.slice(0, name.indexOf("."))),
      ).on("error", unwatchFolder);
      return true;
    } catch {
      return false;
    }
  }

  function unwatchFolder(): void {
    watcher?.close();
    watcher = undefined;
  }

  /** One after the other: of those that come at once here, as many as may are added. */
  let lastAdded: Promise<unknown> = Promise.resolve();

  return Object.freeze<ApprovalStore>({
    add(asked, limit) {
      const turn = lastAdded.then(() => add(asked, limit));
      lastAdded = turn.catch(() => {});
      return turn;
    },
    read: (id) => readOpen(id) ?? files.readClosed(id),
    async list(now, sought) {
      const records: ApprovalRecord[] = [];
      const damaged: string[] = [];
      for (const id of await idsOf(sought, now)) {
        if (records.length >= mostOf(sought)) break;
        const record = readOpen(id);
        if (record === undefined) {
          // It may also have been settled since the folder was read.
          if (files.isAsked(id)) damaged.push(id);
        } else if (!isOver(record) && isSought(record, sought)) {
          records.push(record);
        }
      }
      return { records, damaged };
    },
    async refused(now, sought) {
      if (sought !== undefined) await index.update();
      const ids =
        sought === undefined ? await idsWith(endings.closed, now) : index.findRefused(sought);
      const closed = ids.map((id) => files.readClosed(id));
      return closed.filter(
        (record) => record !== undefined && !record.used && now < record.expiresAt,
      ) as ApprovalRecord[];
    },
    async answer(id, answer: ApproverAnswer) {
      const asked = files.readAsked(id);
      if (asked === undefined || !(answer.at < asked.expiresAt)) return false;
      if (!(await files.answer(asked, answer))) return false;
      if (answer.decision === "denied") await files.close(asked, answer);
      index.answered(asked, answer.decision);
      return true;
    },
    async consume(id, binding, now) {
      const record = readOpen(id);
      if (record?.answer?.decision !== "approved" || record.binding !== binding) return false;
      if (!(now < record.expiresAt)) return false;
      if (!(await files.use(id))) return false;
      await files.keepRan(index.using(record));
      await files.close(record, record.answer);
      return true;
    },
    async hasUsed(runId) {
      await index.update();
      return index.hasUsed(runId);
    },
    watch(id, wake) {
      if (!watchFolder()) return undefined;
      const stop = watchers.add(id, wake);
      return () => {
        stop();
        if (watchers.size === 0) unwatchFolder();
      };
    },
    withdraw,
  });
}
