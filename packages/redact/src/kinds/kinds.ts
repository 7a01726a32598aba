import { addresses } from "./addresses.js";
import type { Detector } from "./detector.js";
import { email } from "./email.js";
import { numbers } from "./numbers.js";
import { passwords } from "./password.js";
import { secrets } from "./secrets.js";

/** The kinds by rank: the first of those whose findings overlap gives the name. */
export const detectors: readonly Detector[] = [
  ...secrets,
  ...passwords,
  ...numbers,
  email,
  ...addresses,
];

/** The names of all kinds that this package finds by itself. */
export const kindNames: readonly string[] = [...new Set(detectors.map(({ kind }) => kind))];
