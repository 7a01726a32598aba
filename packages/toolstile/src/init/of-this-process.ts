import { systemClock } from "@toolstile/core/provider";
import { onSignalOfProcess } from "../terminal/signals.js";
import { initCommand } from "./init.js";

/** `toolstile init`, of the process that runs it. */
export const init = initCommand({ clock: systemClock, onSignal: onSignalOfProcess });
