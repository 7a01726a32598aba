import { quoted } from "@toolstile/core/provider";
import type { SignedNote } from "../format/signed-note.js";

/** Sees to it that all checkpoints of one folder are of one origin: one key may sign many logs. */
export class OriginCheck {
  /** The one that was asked for, or else the first that was found. */
  #due: string | undefined;
  /** True if any checkpoint had it. */
  #isFound = false;
  readonly #isAsked: boolean;

  constructor(asked: string | undefined) {
    this.#due = asked;
    this.#isAsked = asked !== undefined;
  }

  /** The origin of the checkpoints that were found. Undefined if there were none. */
  get found(): string | undefined {
    return this.#isFound ? this.#due : undefined;
  }

  /** Returns why the note does not belong to this folder. Undefined if it does. */
  faultOf({ origin }: Pick<SignedNote, "origin">): string | undefined {
    const own = originOf(origin);
    this.#due ??= own;
    if (own === this.#due) {
      this.#isFound = true;
      return undefined;
    }
    const why = this.#isAsked ? "was asked for" : "others of this folder have";
    return `the checkpoint is of origin ${ascii(own)}, and ${ascii(this.#due)} is the one that ${why}: it may be another log's`;
  }
}

/** The name of a checkpoint without the chain's. */
function originOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/"));
}

function ascii(text: string): string {
  return quoted(text).replaceAll("\u2026", "...");
}
