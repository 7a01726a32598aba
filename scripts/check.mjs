import "./node-version.mjs";
import { environmentForPnpm, inView, withPnpm } from "./processes.mjs";
import { build, install } from "./setup.mjs";

const tasks = [
  "lint",
  "typecheck",
  "unused",
  "docs",
  "check:packages",
  "check:providers",
  "api",
  "sizes",
];
const quietUnlessFailed = ["--continue", "--output-logs=errors-only", "--log-order=grouped"];

install();
const built = build();
const status = inView(withPnpm(["turbo", "run", ...tasks, ...quietUnlessFailed]), {
  env: { ...environmentForPnpm(), TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" },
});
process.exit(built ? status : 1);
