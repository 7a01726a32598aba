import { ownValue } from "@toolstile/core/provider";
import { readYaml } from "../yaml/read-yaml.js";
import { readText } from "../yaml/text-file.js";
import { withEnvironment } from "./environment.js";
import { Faults } from "./faults.js";
import type { LoadGuardFileOptions } from "./guard-file.js";
import { loadOptions } from "./options.js";
import { wellFormedNamed } from "./schema.js";

/** The approver that a guard.yaml names. */
export interface InspectedApprover {
  readonly use: string;
  /** Its options, with the values of environment variables: they may hold secrets. Its plugin has not checked them. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Read which approver a guard.yaml names, for those who answer its questions.
 *
 * Nothing else of the file is looked at, no plugin is loaded, and no other
 * environment variables need be set.
 *
 * @returns nothing if it names none.
 * @throws GuardFileError
 */
export async function inspectApprover(
  path: string,
  options: Pick<LoadGuardFileOptions, "env"> = {},
): Promise<InspectedApprover | undefined> {
  const { env = process.env } = loadOptions("inspectApprover()", path, options);
  const faults = new Faults(path);
  const read = await readText(path);
  if ("fault" in read) faults.add([], read.fault);
  const data = "fault" in read ? undefined : faults.read(readYaml(read.text));
  faults.throwIfAny();
  const given = ownValue(data, "approver");
  const entry = given === undefined ? undefined : wellFormedNamed(given, ["approver"], faults);
  const filled = withEnvironment(entry?.with ?? {}, env, ["approver", "with"], faults);
  faults.throwIfAny();
  return entry && { use: entry.use, options: filled as InspectedApprover["options"] };
}
