import "./node-version.mjs";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readFlags } from "./flags.mjs";
import { pack } from "./packages/pack.mjs";
import { environmentForPnpm, inView, npm, quietly, root } from "./processes.mjs";
import { addressOf, inOrder, withRepository } from "./publishing/order.mjs";
import { build, install } from "./setup.mjs";

const usage = `Usage: node scripts/publish.mjs [--publish]

Packs every package and publishes each version that the registry has not, with provenance, the packages
of lower floors first. Only a workflow of GitHub can prove where a package comes from:
.github/workflows/release.yml runs this.

Options:
  --publish   do it. Without, npm only tries each tarball (--dry-run)
  --help      this text

Exit codes: 0, all is published; 1, something is not; 2, the command line is wrong.
`;

const { publish, help } = readFlags(usage, {
  publish: { type: "boolean" },
  help: { type: "boolean" },
});
if (help) {
  process.stdout.write(usage);
  process.exit(0);
}
install();
if (!build()) process.exit(1);
const folder = mkdtempSync(join(tmpdir(), "toolstile-publish-"));
try {
  const { floors } = JSON.parse(readFileSync(join(root, "architecture.json"), "utf8"));
  // Where the sources are is asked of the workflow, so that a fork publishes its own place.
  const address = addressOf(process.env);
  if (publish && address === undefined) {
    console.error(
      "Only a workflow of GitHub can publish with provenance. Run without --publish to try.",
    );
    process.exit(1);
  }
  const packed = withManifests(address, () => pack(folder));
  for (const each of inOrder(packed, floors)) {
    const { name, tarball } = each;
    const { version } = JSON.parse(readFileSync(join(each.source, "package.json"), "utf8"));
    if (publish && isPublished(name, version)) {
      console.log(`${name} ${version} is published already`);
      continue;
    }
    const how = publish ? ["--provenance"] : ["--dry-run"];
    const command = [...npm(), "publish", tarball, "--access", "public", ...how];
    // A package that others need and that is not there would leave these broken.
    if (!run(name, version, command)) process.exit(1);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {string} name
 * @param {string} version
 * @param {readonly string[]} command
 */
function run(name, version, command) {
  if (publish) return inView(command) === 0;
  const succeeded = quietly(`Trying ${name} ${version}`, command, { env: environmentForPnpm() });
  if (succeeded) console.log(`${name} ${version} can be published`);
  return succeeded;
}

/**
 * @param {string} name
 * @param {string} version
 */
function isPublished(name, version) {
  return inView([...npm(), "view", `${name}@${version}`, "version"]) === 0;
}

/**
 * Do something while the manifests say where the sources are; they are then as before.
 *
 * @template Result
 * @param {string | undefined} address
 * @param {() => Result} action
 */
function withManifests(address, action) {
  if (address === undefined) return action();
  const { floors } = JSON.parse(readFileSync(join(root, "architecture.json"), "utf8"));
  const folders = /** @type {{ packages: string[] }[]} */ (floors).flatMap((each) => each.packages);
  const texts = folders.map((each) => join(root, "packages", each, "package.json"));
  const before = texts.map((path) => readFileSync(path, "utf8"));
  try {
    for (const [index, path] of texts.entries()) {
      const place = `packages/${basename(join(path, ".."))}`;
      writeFileSync(path, withRepository(String(before[index]), address, place));
    }
    return action();
  } finally {
    for (const [index, path] of texts.entries()) writeFileSync(path, String(before[index]));
  }
}
