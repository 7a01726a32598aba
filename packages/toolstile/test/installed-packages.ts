import { existsSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "./temporary-folder.js";

const installed = fileURLToPath(new URL("../node_modules", import.meta.url));

/** False where packages are not built: a guard.yaml names them as they are installed. */
export const packagesAreBuilt = existsSync(`${installed}/@toolstile/rules/dist/index.js`);

/** A folder in which a guard.yaml finds the packages that this one depends on. */
export function folderWithPackages() {
  const folder = temporaryFolder();
  symlinkSync(installed, folder.at("node_modules"), "dir");
  return folder;
}
