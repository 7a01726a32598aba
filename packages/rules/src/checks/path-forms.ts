export type PathForm = "posix" | "windows";

/** A path as the parts from its root to its end. */
export interface CanonicalPath {
  readonly form: PathForm;
  /** "/" or a drive, in lower case. Undefined for a path that does not begin at a root. */
  readonly root: string | undefined;
  readonly names: readonly string[];
}

/**
 * Takes a path apart, without asking the file system.
 *
 * Undefined for a path that means one place here and another there: one with
 * `..`, a NUL, an escape that somebody may decode, a character that some take for
 * a slash or for `..`, or, by its form, what Windows reads in its own way. Nothing is decoded, and nothing is taken out but `.` and
 * doubled slashes.
 */
export function canonicalPath(path: string, form: PathForm): CanonicalPath | undefined {
  if (path === "" || disputed.test(path) || isDisguised(path)) return undefined;
  const read = form === "posix" ? posix(path) : windows(path);
  return read?.names.includes("..") === true ? undefined : read;
}

/** A NUL ends a path for C. Escaped dots, slashes and NULs are plain for one program and not for the next. */
const disputed = /\0|%(?:2e|2f|5c|00)/i;

/** True for a path in which a character such as a wide slash stands for a plain one, or two points for `..`. */
function isDisguised(path: string): boolean {
  if (/^\p{ASCII}*$/u.test(path)) return false;
  const plain = path.normalize("NFKC");
  return slashesIn(plain) !== slashesIn(path) || (dots.test(plain) && !dots.test(path));
}

const dots = /(?:^|[\\/])\.\.(?:[\\/]|$)/;

function slashesIn(path: string): number {
  return path.split(/[\\/]/).length;
}

function posix(path: string): CanonicalPath | undefined {
  // What two slashes at the beginning mean is left to each system.
  if (path.includes("\\") || /^\/\/(?!\/)/.test(path)) return undefined;
  return { form: "posix", root: path.startsWith("/") ? "/" : undefined, names: namesIn(path, "/") };
}

const drive = /^([A-Za-z]):(?=[\\/])/;
/** Names that Windows cuts short, takes for devices or streams, or does not allow. */
const namesOfWindows =
  /[<>:"|?*\p{Cc}]|[. ]$|~\d|^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\.| *$)/iu;

function windows(path: string): CanonicalPath | undefined {
  const letter = drive.exec(path)?.[1];
  const rest = letter === undefined ? path : path.slice(2);
  // Two slashes begin the name of a server or of a device, and one the current drive.
  if (letter === undefined && /^[\\/]/.test(path)) return undefined;
  const names = namesIn(rest.replaceAll("/", "\\"), "\\");
  if (names.some((name) => name !== ".." && namesOfWindows.test(name))) return undefined;
  return { form: "windows", root: letter?.toLowerCase(), names };
}

function namesIn(path: string, separator: string): readonly string[] {
  return path.split(separator).filter((name) => name !== "" && name !== ".");
}

/** The form of an absolute path, as its beginning shows it. */
export function formOf(path: string): PathForm | undefined {
  if (drive.test(path)) return "windows";
  return path.startsWith("/") ? "posix" : undefined;
}

/** True if a path is a folder or below it, as the names are written. Both must have a root. */
export function isUnder(
  path: CanonicalPath,
  folder: CanonicalPath,
  same: (name: string, other: string) => boolean,
): boolean {
  return (
    path.root === folder.root &&
    path.names.length >= folder.names.length &&
    folder.names.every((name, index) => same(name, path.names[index] as string))
  );
}

/** The path in one spelling, without a slash at its end. Undefined for one without a root. */
export function textOfPath({ form, root, names }: CanonicalPath): string | undefined {
  if (root === undefined) return undefined;
  return form === "posix" ? `/${names.join("/")}` : `${root}:\\${names.join("\\")}`;
}
