import { fstatSync, readSync } from "node:fs";
import { redactCommand } from "./redact.js";

/** `toolstile redact`, of the process that runs it. */
export const redact = redactCommand(() => {
  // Of a folder, Node makes an empty stream. To read it is an error, which says so.
  if (fstatSync(0).isDirectory()) readSync(0, Buffer.alloc(1));
  return process.stdin;
});
