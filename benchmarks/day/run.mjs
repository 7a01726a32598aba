// npm run bench -- --day: runs the day in a process of its own, shows what it left behind, and judges it.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { grown } from "./grown.mjs";
import { page, table } from "./page.mjs";

/**
 * @param {{ json: boolean, write: boolean, share: number, only: string }} options
 * @param {(text: string) => void} progress
 * @returns {Promise<boolean>} Whether the process ends the day as it was in the middle of it.
 */
export async function runDay({ json, write, share }, progress) {
  const started = Date.now();
  const measured = await dayOf(share, progress);
  progress("");
  const report = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, Node ${process.version}`,
    minutes: Number(((Date.now() - started) / 60_000).toFixed(1)),
    ...measured,
  };
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : `${table(report)}\n`);
  const left = grown(report);
  for (const sentence of left) process.stderr.write(`${sentence}\n`);
  if (write) writeFileSync(new URL("../../docs/a-day.md", import.meta.url), page(report));
  return left.length === 0;
}

/** Passes its lines on as progress. */
function dayOf(share, progress) {
  const program = fileURLToPath(new URL("day.mjs", import.meta.url));
  const child = spawn(process.execPath, ["--no-warnings", program, String(share)]);
  let [text, told] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (piece) => {
    text += piece;
  });
  child.stderr.setEncoding("utf8").on("data", (piece) => {
    told = `${told}${piece}`.slice(-4_000);
    progress(piece.trim().split("\n").at(-1) ?? "");
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject).on("close", (code) => {
      if (code === 0) resolve(JSON.parse(text));
      else reject(new Error(`The day ended with code ${code}:\n${told}`));
    });
  });
}
