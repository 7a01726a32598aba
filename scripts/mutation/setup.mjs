import { configureGlobal, readConfigureGlobal } from "fast-check";

// A mutant is killed by the first example: a smaller one is of no use.
configureGlobal({ ...readConfigureGlobal(), endOnFailure: true });
