import "./node-version.mjs";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "rolldown";
import { readFlags } from "./flags.mjs";
import { root } from "./processes.mjs";

const usage = `Usage: npm run sizes [-- --write]

Bundles the root entry of every package, minified and compressed, and compares its bytes with the limit
in etc/sizes.json. What it depends on is counted, but for Toolstile's other packages, which count for
themselves, and peers, which the user has.

Options:
  --write   set each limit to the size of now, and a tenth more
  --help    this text

Exit codes: 0, nothing is above its limit; 1, something is; 2, the command line is wrong.
`;

const { write, help } = readFlags(usage, { write: { type: "boolean" }, help: { type: "boolean" } });
if (help) {
  process.stdout.write(usage);
  process.exit(0);
}
const path = join(root, "etc", "sizes.json");
/** @type {Record<string, number>} */
const limits = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
const sizes = await sizesOf(readdirSync(join(root, "packages")));
if (write) {
  const made = sizes.map(([name, bytes]) => [name, Math.ceil(bytes * 1.1)]);
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(made), undefined, 2)}\n`);
} else {
  const problems = [
    ...sizes.flatMap(([name, bytes]) => tooLarge(name, bytes)),
    ...Object.keys(limits)
      .filter((name) => !sizes.some(([each]) => each === name))
      .map((name) => `etc/sizes.json has a limit for ${name}, which has no entry`),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
for (const [name, bytes] of sizes)
  console.log(`${name.padEnd(28)} ${String(bytes).padStart(7)} bytes`);

/**
 * @param {string} name
 * @param {number} bytes
 */
function tooLarge(name, bytes) {
  const limit = limits[name];
  if (limit === undefined)
    return [`${name} has no limit in etc/sizes.json: npm run sizes -- --write`];
  if (bytes <= limit) return [];
  return [
    `${name} has ${bytes} bytes, above its limit of ${limit}: find what it loads, or raise it`,
  ];
}

/**
 * @param {readonly string[]} folders
 * @returns {Promise<[name: string, bytes: number][]>}
 */
async function sizesOf(folders) {
  const measured = await Promise.all(
    folders.map(async (folder) => {
      const place = join(root, "packages", folder);
      const manifest = JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
      const entry = manifest.exports?.["."]?.default;
      if (entry === undefined) return [];
      const peers = Object.keys({ ...manifest.peerDependencies });
      const { output } = await build({
        input: join(place, entry),
        platform: "node",
        external: [/^@toolstile\//, ...peers.map((each) => new RegExp(`^${each}(?:/|$)`))],
        write: false,
        logLevel: "silent",
        output: { format: "esm", minify: true, comments: { legal: false } },
      });
      const bytes = output
        .map((each) => (each.type === "chunk" ? each.code : each.source))
        .reduce((sum, each) => sum + gzipSync(each).length, 0);
      return [/** @type {[string, number]} */ ([manifest.name, bytes])];
    }),
  );
  return measured.flat();
}
