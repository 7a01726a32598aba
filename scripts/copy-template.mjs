// npm publishes only what lies in a package's folder. A package of templates takes its own along
// while it is packed, and no copy stays behind that could grow old.
//   node ../../scripts/copy-template.mjs FOLDER-OF-TEMPLATES | --remove
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./processes.mjs";

const [name = ""] = process.argv.slice(2);
const copy = join(process.cwd(), "dist", "template");
rmSync(copy, { recursive: true, force: true });
if (name !== "--remove") cpSync(join(root, "templates", name), copy, { recursive: true });
