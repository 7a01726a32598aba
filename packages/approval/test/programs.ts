import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Starts a program of this folder, as a process of its own. */
export function start(program: string, argv: readonly string[]) {
  const path = fileURLToPath(new URL(program, import.meta.url));
  return spawn(process.execPath, ["--conditions=@toolstile/source", path, ...argv], {
    stdio: ["pipe", "pipe", "inherit"],
  });
}
