// Says when it is ready; on SIGUSR2 asks at its terminal, and says what was answered.
import { once } from "node:events";
import { register } from "node:module";

register(new URL("../../../scripts/typescript-hooks.mjs", import.meta.url));
const { onTerminal } = await import("../src/prompt/on-terminal.ts");

const told = once(process, "SIGUSR2");
// A signal alone keeps no process waiting.
const alive = setInterval(() => {}, 60_000);
process.stdout.write("ready\n");
await told;
const shown = { text: "A question.\n", runs: () => 1, onJoin: () => {} };
const { signal } = new AbortController();
const { decision } = await onTerminal({ by: "ann" }).ask(shown, { signal });
process.stdout.write(`answered: ${decision}\n`);
clearInterval(alive);
process.exit();
