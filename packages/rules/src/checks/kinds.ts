import type { CheckKind } from "./check.js";
import { commands } from "./command.js";
import { comparisons } from "./comparisons.js";
import { emails } from "./email.js";
import { hosts } from "./hosts.js";
import { paths } from "./paths.js";
import { realPaths } from "./real-paths.js";
import { texts } from "./texts.js";

/** The checks that a condition may make of a value, by their names. */
export const checkKinds = {
  ...comparisons,
  ...texts,
  ...paths,
  ...realPaths,
  ...hosts,
  ...commands,
  ...emails,
} satisfies Readonly<Record<string, CheckKind>>;

export type CheckName = keyof typeof checkKinds;
export const checkNames = Object.keys(checkKinds) as readonly CheckName[];
