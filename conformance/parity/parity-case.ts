import type { Scene } from "./scene.js";
import type { Seam } from "./seam.js";

/** One situation in which every seam has to come to the same end. */
export interface ParityCase {
  /** The claim, as the end of the sentence "the seam …". */
  readonly claim: string;
  /** Play it, and expect all of it to hold. */
  readonly holds: (scene: Scene, seam: Seam) => Promise<void>;
  /** The names of tools that must not have run, even where a seam cannot do this. */
  readonly neverRuns?: readonly string[];
}
