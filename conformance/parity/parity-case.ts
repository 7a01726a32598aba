import type { Scene } from "./scene.js";
import type { Seam } from "./seam.js";

/** One situation in which every seam has to come to the same end. */
export interface ParityCase {
  /** What holds, as the end of "the seam …". */
  readonly claim: string;
  /** Play it, and expect all of it to hold. */
  readonly holds: (scene: Scene, seam: Seam) => Promise<void>;
  /** What holds even where a seam cannot do this: tools that must not have run, by name. */
  readonly neverRuns?: readonly string[];
}
