import { fileURLToPath } from "node:url";
import { type GuardFile, loadGuardFile } from "@toolstile/config";

/** Loads the guards that guard.yaml describes. Close them when the agent has ended. */
export function loadGuards(): Promise<GuardFile> {
  return loadGuardFile(fileURLToPath(new URL("../../guard.yaml", import.meta.url)));
}
