import type { World } from "./creator.js";

/** The process itself, for a program's entry. */
export const thisProcess: World = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  input: process.stdin,
  workingFolder: process.cwd(),
};
