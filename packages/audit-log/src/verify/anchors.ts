import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { quoted } from "@toolstile/core/provider";
import { blocks } from "../files/blocks.js";
import { type CheckpointKey, isSignatureLine, noteOf } from "../format/signed-note.js";
import type { OriginCheck } from "./origin-check.js";

/** The checkpoints that were kept elsewhere. */
export interface Anchors {
  readonly checkpoints: number;
  /** The hashes of each chain's records, by number. */
  readonly chains: ReadonlyMap<string, ReadonlyMap<number, string>>;
  /** The reason why not all of them can be used. */
  readonly fault?: string | undefined;
}

/** A note has five lines; one of an endless file need not be kept to be refused. */
const mostLines = 64;
const longestNoteLine = 4096;

/**
 * Reads files, and folders of files, of checkpoints.
 *
 * @throws the system's error when one cannot be read.
 */
export async function readAnchors(
  paths: readonly string[],
  key: CheckpointKey | undefined,
  origins: OriginCheck,
): Promise<Anchors> {
  const found = new FoundAnchors(key, origins);
  for (const path of paths) {
    for (const file of await filesAt(path)) await found.read(file);
  }
  return found;
}

async function filesAt(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const files: string[] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isFile() && !entry.name.startsWith(".")) files.push(join(path, entry.name));
  }
  return files.sort();
}

class FoundAnchors implements Anchors {
  checkpoints = 0;
  readonly chains = new Map<string, Map<number, string>>();
  fault: string | undefined;
  readonly #key: CheckpointKey | undefined;
  readonly #origins: OriginCheck;
  #body: string[] = [];
  #signatures: string[] = [];
  /** Between a note's text and its signatures there is one blank line. */
  #isSigning = false;

  constructor(key: CheckpointKey | undefined, origins: OriginCheck) {
    this.#key = key;
    this.#origins = origins;
  }

  async read(file: string): Promise<void> {
    const before = this.checkpoints;
    for await (const block of blocks(file)) {
      const lines = block.toString("utf8").split("\n");
      if (lines.at(-1) === "") lines.pop();
      for (const line of lines) this.#line(line, file);
    }
    this.#end(file);
    if (this.checkpoints === before)
      this.fault ??= `the anchor ${quoted(file)} holds no checkpoint`;
  }

  #line(line: string, file: string): void {
    const isSignature = isSignatureLine(line);
    if (this.#isSigning && this.#signatures.length > 0 && !isSignature) this.#end(file);
    if (line === "" && this.#body.length === 0) return;
    if (this.#body.length + this.#signatures.length >= mostLines) return;
    if (line === "") this.#isSigning = true;
    else
      (this.#isSigning && isSignature ? this.#signatures : this.#body).push(
        line.slice(0, longestNoteLine),
      );
  }

  #end(file: string): void {
    if (this.#body.length === 0) return;
    const note = noteOf(this.#body, this.#signatures);
    this.#body = [];
    this.#signatures = [];
    this.#isSigning = false;
    const fault =
      note === undefined
        ? "it must hold only checkpoints, and something in it is not one"
        : (this.#key?.faultOf(note) ?? this.#origins.faultOf(note));
    if (note === undefined || fault !== undefined) {
      this.fault ??= `the anchor ${quoted(file)} cannot be used: ${fault}`;
      return;
    }
    this.checkpoints++;
    const roots = this.chains.get(note.chain) ?? new Map<number, string>();
    this.chains.set(note.chain, roots);
    const other = roots.get(note.size);
    if (other !== undefined && other !== note.root) {
      this.fault ??= `two anchored checkpoints of chain ${quoted(note.chain)} state different roots for size ${note.size}`;
    }
    roots.set(note.size, note.root);
  }
}
