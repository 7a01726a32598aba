import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./processes.mjs";
import { figuresOf } from "./structure/figures.mjs";
import { rules } from "./structure/shared.mjs";
import { tableOf } from "./structure/table.mjs";

const help = `Count how the source of this repository is built.

  npm run structure [-- options]

  --since <commit>  beside the figures of that commit, taken from git
  --json            as JSON, with what was counted
  --help

What stands under "Implementations" is counted by these rules:
${rules.map(({ name, counts }) => `  ${name}: ${counts}`).join("\n")}

A plain allowed call is one that one guard allows at once and whose tool answers at once; what it
enters is counted by the engine. The members of a run are the properties of core's class Run. A cast
is any \`as\` but \`as const\`.
`;

const { values } = parseArgs({
  options: {
    since: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  process.stdout.write(help);
} else {
  const now = figuresOf(root);
  const before = values.since === undefined ? undefined : figuresSince(values.since);
  const shown = { since: values.since, before, now };
  process.stdout.write(
    values.json ? `${JSON.stringify(shown, undefined, 2)}\n` : tableOf(now, before, values.since),
  );
}

/** @param {string} commit */
function figuresSince(commit) {
  const folder = mkdtempSync(join(tmpdir(), "toolstile-structure-"));
  try {
    const tar = join(folder, "packages.tar");
    writeFileSync(tar, output("git", ["archive", "--format=tar", commit, "packages"], root));
    output("tar", ["-xf", "packages.tar"], folder);
    return figuresOf(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function output(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, maxBuffer: 1 << 28 });
  if (status === 0) return stdout;
  console.error(error?.message ?? String(stderr));
  process.exit(1);
}
