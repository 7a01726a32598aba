import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startModel } from "../model.mjs";

const execute = promisify(execFile);
const program = fileURLToPath(new URL("../start-engine.mjs", import.meta.url));

/** One start in a fresh process: milliseconds of the import and of the whole process, and mebibytes. */
async function started(url) {
  const begun = performance.now();
  const { stdout } = await execute(process.execPath, [program, url]);
  const { importMs, resident } = JSON.parse(stdout);
  return { importMs, wholeMs: performance.now() - begun, mebibytes: resident / 2 ** 20 };
}

async function engineAndNothing() {
  const model = await startModel();
  try {
    return { nothing: await started("nothing"), engine: await started(model.url) };
  } finally {
    model.close();
  }
}

export const rows = [
  {
    name: "start of @toolstile/iorails, its import, beside a whole Node process that does nothing",
    goal: 250,
    reference: { unit: "ms" },
    async measure() {
      const { engine, nothing } = await engineAndNothing();
      const { importMs } = engine;
      return { ratio: importMs, subject: importMs * 1e6, reference: nothing.wholeMs * 1e6 };
    },
  },
  {
    name: "start of @toolstile/iorails, resident after the first answer, beside a Node process that does nothing",
    goal: 75,
    measures: "MiB",
    reference: { unit: "MiB" },
    async measure() {
      const { engine, nothing } = await engineAndNothing();
      return {
        ratio: engine.mebibytes,
        subject: engine.mebibytes,
        reference: nothing.mebibytes,
      };
    },
  },
];
