import { randomBytes } from "node:crypto";
import { codeOf } from "@toolstile/core/files";
import { quoted, ToolstileError } from "@toolstile/core/provider";
import type { Disk } from "../files/disk.js";
import type { ChainHead } from "../format/chain-head.js";
import { within } from "../format/names.js";
import { type ChainState, chainState } from "./chain-state.js";

/** A chain that has one writer until it is released. */
export interface TakenChain {
  readonly name: string;
  readonly state: ChainState;
  readonly unlock: () => void;
}

/** Returns the head that a note states, if it is a checkpoint of the chain that this writer's key signed. */
export type SignedHead = (chain: string, note: string) => ChainHead | undefined;

const ownName = /^[0-9a-f]{16}$/;

/**
 * Takes the chain of that name, or else the first whose writer is gone, or begins one.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` when the named one has a writer, or is damaged.
 */
export function takeChain(
  disk: Disk,
  writer: string | undefined,
  signedHead: SignedHead | undefined,
): TakenChain {
  disk.makeFolder("");
  if (writer !== undefined) return takeNamed(disk, writer, signedHead);
  for (const name of [...disk.list("")].filter((it) => ownName.test(it)).sort()) {
    const taken = take(disk, name, signedHead);
    if (typeof taken === "object") return taken;
  }
  for (;;) {
    const name = randomBytes(8).toString("hex");
    disk.makeFolder(name);
    const taken = take(disk, name, signedHead);
    // Another opening of the folder may have seen the new chain first, and taken it.
    if (typeof taken === "object") return taken;
  }
}

function takeNamed(disk: Disk, name: string, signedHead: SignedHead | undefined): TakenChain {
  if (disk.kind(name) === undefined) disk.makeFolder(name);
  const taken = take(disk, name, signedHead);
  if (typeof taken === "object") return taken;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    taken === "locked"
      ? `Another writer has the chain ${quoted(name)} of this audit log. Give each writer a name of its own, or none; or delete the chain's lock file if no writer is running.`
      : `The chain ${quoted(name)} of this audit log is damaged, or a link or another thing stands in the place of its folder or of one of its files: nothing is appended to it. Run toolstile verify, or verifyFolder(), to see what is bad. To go on, move the chain's folder out of the log, under its own name, and keep it as evidence, or give the writer another name.`,
  );
}

function take(
  disk: Disk,
  name: string,
  signedHead: SignedHead | undefined,
): TakenChain | "locked" | "damaged" {
  // A link may lead out of the log's folder, to files that are somebody else's.
  if (disk.kind(name) !== "folder") return "damaged";
  const unlock = disk.lock(within(name, "lock"));
  if (unlock === undefined) return "locked";
  try {
    const state = chainState(disk, name, signedHead && ((note) => signedHead(name, note)));
    if (state !== undefined) return { name, state, unlock };
  } catch (error) {
    unlock();
    if (codeOf(error) === "ENOTREG") return "damaged";
    throw error;
  }
  unlock();
  return "damaged";
}
