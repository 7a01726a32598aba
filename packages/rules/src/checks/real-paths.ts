import { sep } from "node:path";
import { invalidOption } from "@toolstile/core/provider";
import { allOf, anyOf, type CheckKind, type Outcome } from "./check.js";
import { followLinks, namesOnTheWay, placesOf } from "./links.js";
import { textsSchema } from "./operands.js";
import { type CanonicalPath, canonicalPath, type PathForm, textOfPath } from "./path-forms.js";
import { ofAllReadings, whyReadOtherwise } from "./path-readings.js";
import {
  folder,
  isUnderAny,
  nameSchema,
  nameTest,
  readFolders,
  readNames,
  whyNotPlain,
} from "./paths.js";

/** Each asks the system, some 20 microseconds long. */
const mostRealPaths = 100;
const formOfMachine: PathForm = sep === "/" ? "posix" : "windows";

const realPathUnder: CheckKind = {
  schema: textsSchema(
    "pathUnder, after all links were followed on this machine. For tools that run on it.",
    folder,
  ),
  read: (operand, where, name) => {
    const { given, form, paths: folders } = readFolders(operand, where, name);
    if (form !== formOfMachine) {
      throw invalidOption(
        where,
        `'${name}' follows links on this machine, so its folders must be paths of this machine.`,
      );
    }
    const isUnder = (real: CanonicalPath): Outcome =>
      anyOf(
        folders.map((folder) => {
          const under = realPath(folder);
          return under === undefined ? undefined : isUnderAny(real, [under]);
        }),
      );
    const asWritten = (value: string): Outcome => {
      const places = realPlaces(value);
      return places === undefined ? undefined : agreed(places.map(({ real }) => isUnder(real)));
    };
    const test = (value: string): Outcome => ofAllReadings(value, asWritten);
    const doubt = doubtOf(asWritten);
    return { name, operand: given, kinds: ["string"], mostValues: mostRealPaths, test, doubt };
  },
};

const realPathHas: CheckKind = {
  schema: textsSchema(
    "pathHas, of the path as it is written and of where its links lead on this machine. For tools that run on it.",
    nameSchema,
  ),
  read: (operand, where, name) => {
    const given = readNames(operand, where, name);
    const has = nameTest(given);
    const asWritten = (value: string, any: boolean): Outcome => {
      const written = canonicalPath(value, formOfMachine);
      const places = realPlaces(value);
      const outcomes = [
        written && has(written.names),
        ...(places?.map(({ real }) => has(real.names)) ?? [undefined]),
      ];
      if (!any) return allOf(outcomes);
      const ways = places?.map(({ spelling }) => namesOnTheWay(spelling)) ?? [];
      return anyOf([...outcomes, ...ways.map((names) => names && has(names))]);
    };
    const test = (value: string, any: boolean): Outcome =>
      ofAllReadings(value, (reading) => asWritten(reading, any));
    const doubt = doubtOf((value) => asWritten(value, true));
    return { name, operand: given, kinds: ["string"], mostValues: mostRealPaths, test, doubt };
  },
};

/** The one answer of all; undefined if they differ. */
function agreed(outcomes: readonly Outcome[]): Outcome {
  const [first, ...others] = outcomes;
  return others.every((each) => each === first) ? first : undefined;
}

interface RealPlace {
  readonly real: CanonicalPath;
  readonly spelling: string;
}

/** Of the path without a slash at its end, behind which the system follows a link that tools may write through. */
function realPlaces(value: string): readonly RealPlace[] | undefined {
  const path = canonicalPath(value, formOfMachine);
  const text = path && textOfPath(path);
  const places = text === undefined ? undefined : placesOf(text);
  const read = places?.flatMap(({ place, spelling }) => {
    const real = canonicalPath(place, formOfMachine);
    return real === undefined ? [] : [{ real, spelling }];
  });
  return read?.length === places?.length ? read : undefined;
}

/** Of a folder of a rule, which is meant as it is written. */
function realPath(path: CanonicalPath): CanonicalPath | undefined {
  const text = textOfPath(path);
  const real = text === undefined ? undefined : followLinks(text);
  return real === undefined ? undefined : canonicalPath(real, formOfMachine);
}

function doubtOf(test: (value: string) => Outcome): (value: string) => string {
  return (value) =>
    whyNotPlain(value, formOfMachine, true) ??
    whyReadOtherwise(value, test) ??
    "cannot be followed to one place on this machine: a link or a name in it may lead elsewhere";
}

export const realPaths = { realPathUnder, realPathHas } satisfies Readonly<
  Record<string, CheckKind>
>;
