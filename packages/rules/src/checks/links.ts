import { lstatSync, opendirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, parse, sep } from "node:path";
import { mayOpen } from "./file-names.js";

/** No more entries of folders are searched for other spellings of the names in one path: reading so many takes some 10 ms. */
const mostEntries = 10_000;
/** The most places that the spellings of one path lead to. */
const mostPlaces = 16;
/** As many as Linux follows. */
const mostLinks = 40;
/** These lead each process to its own files and folders, or to those of one that may be gone. */
const ofProcess =
  /^\/(?:proc\/(?:self|thread-self|curproc|\d+)|dev\/(?:fd|std(?:in|out|err)|tty))(?:\/|$)/i;

/**
 * Follows all links in an absolute path of this machine. What does not exist yet is appended as it is.
 *
 * Undefined if it cannot be told: for a link that leads nowhere, in a circle, or to where one may not look, and for a
 * path through `/proc/self` and its like, which leads a tool elsewhere.
 * It asks the system once for each folder that exists, and once for the first that does not.
 */
export function followLinks(path: string): string | undefined {
  return follow(path)?.place;
}

/**
 * Follows a path to all places that it leads to for one system or server or another: the one that it names, and,
 * if a name in it does not exist, those of the entries that some take for it. A server may look for a name in its
 * composed form, and a disk may not tell `A` from `a`. The composed and the decomposed form are followed in any case.
 *
 * Undefined if it cannot be told, as above: also for a folder that cannot be listed or that has too many entries.
 */
export function placesOf(path: string): readonly Place[] | undefined {
  const places: Place[] = [];
  // Some programs compose or decompose the letters of each path before they open it.
  for (const other of new Set([path.normalize("NFC"), path.normalize("NFD")])) {
    if (other === path) continue;
    const found = follow(other);
    if (found === undefined) return undefined;
    places.push({ spelling: other, place: found.place });
  }
  const spellings = [path];
  const budget = { entries: mostEntries };
  for (const spelling of spellings) {
    const found = follow(spelling);
    if (found === undefined || spellings.length > mostPlaces) return undefined;
    places.push({ spelling, place: found.place });
    const { missing } = found;
    if (missing === undefined) continue;
    const entries = entriesFor(missing.name, missing.folder, budget);
    // What is there by this very name was not a moment ago, or the system has another name for it.
    if (entries === undefined || entries.includes(missing.name)) return undefined;
    for (const entry of entries) spellings.push(join(missing.folder, entry, missing.rest));
  }
  return places;
}

interface Place {
  readonly place: string;
  /** The path that leads there. */
  readonly spelling: string;
}

/**
 * All names that are met when the links in a path are followed one after the other: also those of links that lead to
 * further ones. Undefined if that cannot be told, also where one of them means something else for each process.
 */
export function namesOnTheWay(path: string): readonly string[] | undefined {
  const met: string[] = [];
  let { root, names } = partsOf(path);
  let folders: string[] = [];
  let links = 0;
  while (names.length > 0) {
    const [name = "", ...rest] = names;
    names = rest;
    if (name === "..") folders.pop();
    if (name === ".." || name === ".") continue;
    met.push(name);
    const place = root + [...folders, name].join(sep);
    if (ofProcess.test(place)) return undefined;
    const link = linkAt(place);
    if (link === undefined) return undefined;
    if (link === "none") {
      folders.push(name);
      continue;
    }
    if (++links > mostLinks) return undefined;
    const target = partsOf(link.target);
    if (target.root !== "") [root, folders] = [target.root, []];
    names = [...target.names, ...rest];
  }
  return met;
}

function partsOf(path: string): { readonly root: string; readonly names: readonly string[] } {
  const { root } = parse(path);
  return { root, names: path.slice(root.length).split(sep).filter(isName) };
}

function linkAt(path: string): { readonly target: string } | "none" | undefined {
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? { target: readlinkSync(path) } : "none";
  } catch {
    return undefined;
  }
}

interface Followed {
  readonly place: string;
  /** The first name that does not exist, and the folder in which it does not. */
  readonly missing?: { readonly folder: string; readonly name: string; readonly rest: string };
}

function follow(path: string): Followed | undefined {
  if (ofProcess.test(path)) return undefined;
  const whole = real(path);
  if (whole !== "missing") {
    return whole === undefined || isOfProcess(path, whole) ? undefined : { place: whole };
  }
  let existing: string | undefined;
  for (const folder of foldersOf(path)) {
    if (!isThere(folder)) break;
    existing = folder;
  }
  const folder = existing === undefined ? undefined : real(existing);
  // A link to nothing is there, and yet whoever writes to it makes a file elsewhere.
  if (existing === undefined || folder === "missing" || folder === undefined) return undefined;
  if (isOfProcess(existing, folder)) return undefined;
  const [name = "", ...rest] = path.slice(existing.length).split(sep).filter(isName);
  return {
    place: join(folder, name, ...rest),
    missing: { folder, name, rest: rest.join(sep) },
  };
}

/** True for a path that leads there by a link of the process that asks. Only one with links is asked about name by name. */
function isOfProcess(path: string, place: string): boolean {
  return sep === "/" && path !== place && namesOnTheWay(path) === undefined;
}

function isName(name: string): boolean {
  return name !== "";
}

/** The folders that a path leads through, from the root to the path itself. */
function foldersOf(path: string): readonly string[] {
  const folders = [path];
  for (
    let folder = dirname(path);
    folder !== folders[folders.length - 1];
    folder = dirname(folder)
  ) {
    folders.push(folder);
  }
  return folders.reverse();
}

/** The entries of a folder that some system or server takes for a name. */
function entriesFor(
  name: string,
  folder: string,
  budget: { entries: number },
): readonly string[] | undefined {
  const opens = mayOpen(name);
  const found: string[] = [];
  try {
    // One entry after the other, so that a folder of millions is not read to its end.
    const entries = opendirSync(folder, { bufferSize: 256 });
    try {
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
        if (budget.entries === 0) return undefined;
        budget.entries -= 1;
        if (opens(entry.name)) found.push(entry.name);
      }
      return found;
    } finally {
      entries.closeSync();
    }
  } catch {
    return undefined;
  }
}

function real(path: string): string | "missing" | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    return isAbsent(error) ? "missing" : undefined;
  }
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (error) {
    return !isAbsent(error);
  }
}

/** Core's own would load all of its entry for files. */
function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
