import { noPlacesOfOneMachine } from "./committed.mjs";
import {
  dependenciesPointDown,
  entriesNeedNoNode,
  everyPackageHasAFloor,
  importsAreDeclared,
  noCycles,
} from "./floors.mjs";
import { noCirclesOfFiles, roomsPointDown } from "./rooms.mjs";
import {
  filesAreShort,
  packagesHaveTheSameFiles,
  referencesMatchManifests,
  versionsAreRangesOrPinned,
} from "./shape.mjs";
import { readWorkspace } from "./workspace.mjs";

const rules = [
  everyPackageHasAFloor,
  dependenciesPointDown,
  noCycles,
  importsAreDeclared,
  entriesNeedNoNode,
  roomsPointDown,
  noCirclesOfFiles,
  packagesHaveTheSameFiles,
  referencesMatchManifests,
  versionsAreRangesOrPinned,
];

/**
 * Hold a repository to the rules of its `architecture.json`.
 *
 * @param {string} root
 * @returns {{ problems: string[], warnings: string[] }}
 */
export function checkArchitecture(root) {
  const workspace = readWorkspace(root);
  const lengths = filesAreShort(workspace);
  const problems = rules.flatMap((rule) => rule(workspace));
  return {
    problems: [...new Set([...problems, ...lengths.problems, ...noPlacesOfOneMachine(root)])],
    warnings: lengths.warnings,
  };
}
