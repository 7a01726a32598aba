import "./node-version.mjs";
import { inView } from "./processes.mjs";
import { build, install } from "./setup.mjs";

install();
if (!build()) process.exit(1);
process.exit(
  inView([process.execPath, "packages/toolstile/dist/cli.js", "demo", ...process.argv.slice(2)]),
);
