// Replaces a file in a folder over and over, and says so each time, until it is killed.
import { register } from "node:module";
import { join } from "node:path";

register(new URL("../../../../scripts/typescript-hooks.mjs", import.meta.url));
const { replaceFileSync } = await import("../../src/files/index.ts");

const [folder] = process.argv.slice(2);
const file = join(folder, "file");
for (let turn = 0; ; turn++) {
  replaceFileSync(file, String(turn % 10).repeat(100_000), `${file}.draft`);
  process.stdout.write(`${turn}\n`);
}
