import { configureGlobal, readConfigureGlobal } from "fast-check";

// A mutant is killed by the first example: a smaller one is of no use. How long a property may take is told
// by the turns that its process has had, and not by the clock.
const { interruptAfterTimeLimit: _, markInterruptAsFailure: __, ...others } = readConfigureGlobal();
configureGlobal({ ...others, endOnFailure: true });
