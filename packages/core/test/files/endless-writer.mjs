// Replaces a file in a folder over and over, and says so each time, until it is killed. With a second word `later`, it awaits each.
import { register } from "node:module";
import { join } from "node:path";

register(new URL("../../../../scripts/typescript-hooks.mjs", import.meta.url));
const { replaceFile, replaceFileSync } = await import("../../src/files/index.ts");

const [folder, when] = process.argv.slice(2);
const file = join(folder, "file");
for (let turn = 0; ; turn++) {
  const text = String(turn % 10).repeat(100_000);
  if (when === "later") await replaceFile(file, text);
  else replaceFileSync(file, text, `${file}.draft`);
  process.stdout.write(`${turn}\n`);
}
