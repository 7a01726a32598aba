// Says when it is ready; when it is told the time to begin, redeems one approval and says what came of it.
import { once } from "node:events";
import { register } from "node:module";

register(new URL("../../../scripts/typescript-hooks.mjs", import.meta.url));
const { fileStore } = await import("../src/store/file-store.ts");

const [folder, id, binding] = process.argv.slice(2);
const store = fileStore(folder, { create: false });
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdout.write(`${await store.consume(id, binding, 20)}\n`);
process.exit();
