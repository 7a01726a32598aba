// Asks and answers until it is killed, and says what it was told.
import { register } from "node:module";

register(new URL("../../../scripts/typescript-hooks.mjs", import.meta.url));
const { fileStore } = await import("../src/store/file-store.ts");
const { asked } = await import("./questions.ts");

const store = fileStore(process.argv[2]);
async function asker(name) {
  for (let index = 0; ; index++) {
    const one = asked();
    await store.add(one, { maxOpen: 100_000, now: 0 });
    process.stdout.write(`pending ${one.id}\n`);
    if (index % 3 === 0) continue;
    const decision = index % 3 === 1 ? "approved" : "denied";
    process.stdout.write(`answering ${one.id} ${decision}\n`);
    await store.answer(one.id, { decision, by: name, at: 10 });
    process.stdout.write(`${decision} ${one.id}\n`);
  }
}
for (let index = 0; index < 4; index++) asker(`asker-${index}`);
