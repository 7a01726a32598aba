// Runs a program, and keeps all that it writes to its standard output: node tee.mjs FILE PROGRAM …
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";

const [file, program, ...rest] = process.argv.slice(2);
const kept = createWriteStream(file);
const child = spawn(program, rest, { stdio: ["inherit", "pipe", "inherit"] });
child.stdout.on("data", (bytes) => {
  kept.write(bytes);
  process.stdout.write(bytes);
});
process.on("SIGTERM", () => child.kill());
child.on("close", (code) => kept.end(() => process.exit(code ?? 1)));
