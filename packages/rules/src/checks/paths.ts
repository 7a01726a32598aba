import { invalidOption, longestToolPattern, patternDenies, quoted } from "@toolstile/core/provider";
import type { CheckKind, Outcome } from "./check.js";
import { folded, namesThatOpen, sameForSome, sameForWindows } from "./file-names.js";
import { oneOf } from "./one-of.js";
import { readTexts, textsSchema } from "./operands.js";
import { type CanonicalPath, canonicalPath, formOf, isUnder, type PathForm } from "./path-forms.js";
import { ofAllReadings, whyReadOtherwise } from "./path-readings.js";

export const folder = { minLength: 1, description: "an absolute path" };

const pathUnder: CheckKind = {
  schema: textsSchema("The path is one of these folders or below it, as it is written.", folder),
  read: (operand, where, name) => {
    const { given, form, paths } = readFolders(operand, where, name);
    const plainly = plainlyUnder(paths);
    const asWritten = (value: string): Outcome => {
      const path = canonicalPath(value, form);
      return path === undefined ? undefined : isUnderAny(path, paths);
    };
    const test = (value: string): Outcome =>
      plainly?.test(value) === true || ofAllReadings(value, asWritten);
    const doubt = (value: string) =>
      whyNotPlain(value, form, true) ??
      whyReadOtherwise(value, asWritten) ??
      "names a folder in letters that some systems take for those of another";
    return { name, operand: given, kinds: ["string"], test, doubt };
  },
};

/**
 * Makes a pattern of most of the paths that are below the folders: taking them apart takes five times as long.
 *
 * No name in them begins with a dot, no slash is doubled, and there is no sign that some read in another way.
 */
function plainlyUnder(folders: readonly CanonicalPath[]): RegExp | undefined {
  const plain = folders.filter(({ form, names }) => form === "posix" && names.length > 0);
  const folder = oneOf(plain.map(({ names }) => `/${names.join("/")}`));
  return folder === undefined
    ? undefined
    : new RegExp(`^${folder}(?:/[^/.\\\\%\\0][^/\\\\%\\0]*)*/?$`);
}

/** Undefined where one file system takes the path for one below a folder, and another does not. */
export function isUnderAny(path: CanonicalPath, paths: readonly CanonicalPath[]): Outcome {
  if (path.root === undefined) return undefined;
  const same = path.form === "windows" ? sameForWindows : sameAsWritten;
  if (paths.some((folder) => isUnder(path, folder, same))) return true;
  return paths.some((folder) => isUnder(path, folder, sameForSome)) ? undefined : false;
}

function sameAsWritten(name: string, other: string): boolean {
  return name === other;
}

interface Folders {
  readonly given: readonly string[];
  readonly form: PathForm;
  readonly paths: readonly CanonicalPath[];
}

export function readFolders(operand: unknown, where: string, name: string): Folders {
  const given = readTexts("absolute folders", operand, where, name);
  const [form = "posix", ...others] = new Set(given.map(formOf));
  if (others.length > 0) {
    throw invalidOption(
      where,
      `'${name}' must hold folders of one system: all begin with / or all with a drive.`,
    );
  }
  const paths = given.map((folder, index) => {
    const path = canonicalPath(folder, form);
    if (path?.root !== undefined) return path;
    const place = typeof operand === "string" ? name : `${name}[${index}]`;
    throw invalidOption(
      where,
      `'${place}' must be an absolute path without '..', as in /srv/docs or C:\\docs.`,
    );
  });
  return { given, form, paths };
}

/** A name that Windows may have given to a file with a longer one. */
const shortName = /~\d/;

export const nameSchema = { minLength: 1, maxLength: longestToolPattern };

/** @throws ToolstileError for a name with a slash, which no name in a path has. */
export function readNames(operand: unknown, where: string, name: string): readonly string[] {
  const given = readTexts("names of files or folders", operand, where, name);
  for (const pattern of given) {
    if (!/[\\/]/.test(pattern) && pattern.length <= longestToolPattern) continue;
    throw invalidOption(
      where,
      `'${name}' must hold names and no paths, received ${quoted(pattern)}.`,
    );
  }
  return given;
}

/** Returns the question if some of the names in a path are of these. */
export function nameTest(given: readonly string[]): (names: readonly string[]) => Outcome {
  const patterns = given.map(folded);
  return (names) => {
    const opening = names.flatMap(namesThatOpen).map(folded);
    if (opening.some((each) => patterns.some((name) => patternDenies(name, each)))) return true;
    return names.some((each) => shortName.test(each)) ? undefined : false;
  };
}

const pathHas: CheckKind = {
  schema: textsSchema(
    'A folder or the file of the path has one of these names, in either case. * stands for any characters: [".env", "*.key"].',
    nameSchema,
  ),
  read: (operand, where, name) => {
    const given = readNames(operand, where, name);
    const has = nameTest(given);
    const formOfValue = (value: string) => formOf(value) ?? "posix";
    const asWritten = (value: string): Outcome => {
      const path = canonicalPath(value, formOfValue(value));
      return path && has(path.names);
    };
    const test = (value: string): Outcome => ofAllReadings(value, asWritten);
    const doubt = (value: string) =>
      whyNotPlain(value, formOfValue(value), false) ??
      whyReadOtherwise(value, asWritten) ??
      "has a short name such as A~1, which may be that of another file";
    return { name, operand: given, kinds: ["string"], test, doubt };
  },
};

/** Says why a path is not read in one way only; undefined if it is. */
export function whyNotPlain(value: string, form: PathForm, rooted: boolean): string | undefined {
  const path = canonicalPath(value, form);
  if (path !== undefined) {
    return rooted && path.root === undefined ? "must be an absolute path" : undefined;
  }
  if (value === "") return "must not be empty";
  // Without a root, `..` is a lesser fault.
  if (rooted && formOf(value) === undefined) return "must be an absolute path";
  return form === "posix"
    ? "must be a path without '..', backslashes, escapes such as %2e, two slashes at its beginning, and what looks like these"
    : "must be a path without '..', escapes such as %2e, what looks like these, and names that Windows reads in its own way";
}

export const paths = { pathUnder, pathHas } satisfies Readonly<Record<string, CheckKind>>;
