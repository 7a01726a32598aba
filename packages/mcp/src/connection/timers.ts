import type { Clock } from "@toolstile/core";

/** The timers that deadlines need. */
export type Timers = Pick<Clock, "setTimeout" | "clearTimeout">;
