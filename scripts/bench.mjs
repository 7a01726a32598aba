import "./node-version.mjs";
import { join } from "node:path";
import { inView, root, withPnpm } from "./processes.mjs";
import { build, install } from "./setup.mjs";

install();
if (!build()) process.exit(1);
process.exit(
  inView(withPnpm(["pnpm", "--silent", "run", "bench", ...process.argv.slice(2)]), {
    cwd: join(root, "benchmarks"),
  }),
);
