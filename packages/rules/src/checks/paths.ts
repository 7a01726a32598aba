import { sep } from "node:path";
import { invalidOption, longestToolPattern, patternDenies, quoted } from "@toolstile/core/host";
import { anyOf, type CheckKind, type Outcome } from "./check.js";
import { followLinks } from "./links.js";
import { oneOf } from "./one-of.js";
import { readTexts, textsSchema } from "./operands.js";
import {
  type CanonicalPath,
  canonicalPath,
  folded,
  formOf,
  ignorable,
  isUnder,
  type PathForm,
  sameForSome,
  sameForWindows,
  textOfPath,
} from "./path-forms.js";

/** Each asks the system, some 20 microseconds long. */
const mostRealPaths = 100;
const formOfMachine: PathForm = sep === "/" ? "posix" : "windows";

const folder = { minLength: 1, description: "an absolute path" };

const pathUnder: CheckKind = {
  schema: textsSchema("The path is one of these folders or below it, as it is written.", folder),
  read: (operand, where, name) => {
    const given = readTexts("absolute folders", operand, where, name);
    const { form, paths } = readFolders(given, where, name);
    const plainly = plainlyUnder(paths);
    const test = (value: string): Outcome => {
      if (plainly?.test(value) === true) return true;
      const path = canonicalPath(value, form);
      return path === undefined ? undefined : isUnderAny(path, paths);
    };
    return { name, operand: given, kinds: ["string"], test };
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

const realPathUnder: CheckKind = {
  schema: textsSchema(
    "The same, after all links were followed on this machine. For tools that run on it.",
    folder,
  ),
  read: (operand, where, name) => {
    const given = readTexts("absolute folders", operand, where, name);
    const { form, paths: folders } = readFolders(given, where, name);
    if (form !== formOfMachine) {
      throw invalidOption(
        where,
        `'${name}' follows links on this machine, so its folders must be paths of this machine.`,
      );
    }
    const test = (value: string): Outcome => {
      const path = canonicalPath(value, form);
      const real = path && realPath(path);
      if (real === undefined) return undefined;
      return anyOf(
        folders.map((folder) => {
          const under = realPath(folder);
          return under === undefined ? undefined : isUnderAny(real, [under]);
        }),
      );
    };
    return { name, operand: given, kinds: ["string"], mostValues: mostRealPaths, test };
  },
};

/** Of the path without a slash at its end, behind which the system follows a link that tools may write through. */
function realPath(path: CanonicalPath): CanonicalPath | undefined {
  const text = textOfPath(path);
  const real = text === undefined ? undefined : followLinks(text);
  return real === undefined ? undefined : canonicalPath(real, formOfMachine);
}

/** Undefined where one file system takes the path for one below a folder, and another does not. */
function isUnderAny(path: CanonicalPath, paths: readonly CanonicalPath[]): Outcome {
  if (path.root === undefined) return undefined;
  const same = path.form === "windows" ? sameForWindows : sameAsWritten;
  if (paths.some((folder) => isUnder(path, folder, same))) return true;
  return paths.some((folder) => isUnder(path, folder, sameForSome)) ? undefined : false;
}

function sameAsWritten(name: string, other: string): boolean {
  return name === other;
}

interface Folders {
  readonly form: PathForm;
  readonly paths: readonly CanonicalPath[];
}

function readFolders(given: readonly string[], where: string, name: string): Folders {
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
    throw invalidOption(
      where,
      `'${name}[${index}]' must be an absolute path without '..', as in /srv/docs or C:\\docs.`,
    );
  });
  return { form, paths };
}

/** A name that Windows may have given to a file with a longer one. */
const shortName = /~\d/;
/** The names of the files that a name in a path opens on one system or another. Windows cuts a stream off, and points and blanks at the end. */
function namesThatOpen(name: string): readonly string[] {
  if (/^[\w-]+(?:\.[\w-]+)*$/.test(name)) return [name];
  const pieces = new Set([name, ...name.split(":")].map((piece) => piece.replace(ignorable, "")));
  for (const piece of [...pieces]) pieces.add(piece.replace(/(?<![. ])[. ]+$/, ""));
  return [name, ...pieces];
}

const pathHas: CheckKind = {
  schema: textsSchema(
    'A folder or the file of the path has one of these names, in either case. * stands for any characters: [".env", "*.key"].',
    { minLength: 1, maxLength: longestToolPattern },
  ),
  read: (operand, where, name) => {
    const given = readTexts("names of files or folders", operand, where, name);
    for (const pattern of given) {
      if (!/[\\/]/.test(pattern) && pattern.length <= longestToolPattern) continue;
      throw invalidOption(
        where,
        `'${name}' must hold names and no paths, received ${quoted(pattern)}.`,
      );
    }
    const patterns = given.map(folded);
    const test = (value: string): Outcome => {
      const path = canonicalPath(value, formOf(value) ?? "posix");
      if (path === undefined) return undefined;
      const names = path.names.flatMap(namesThatOpen).map(folded);
      if (names.some((each) => patterns.some((name) => patternDenies(name, each)))) return true;
      return path.names.some((each) => shortName.test(each)) ? undefined : false;
    };
    return { name, operand: given, kinds: ["string"], test };
  },
};

export const paths = { pathUnder, realPathUnder, pathHas } satisfies Readonly<
  Record<string, CheckKind>
>;
