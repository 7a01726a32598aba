import { type Locate, type Path, type Position, pathText } from "@toolstile/config/yaml";
import { ToolstileError } from "@toolstile/core";
import { quoted } from "@toolstile/core/provider";

/** One file, or one argument, that a configuration is read from. */
export interface Source {
  /** Relative to the folder, with `/`. */
  readonly file: string;
  /** Finds where the value at a path stands in the file. */
  readonly locate: Locate;
}

/** Lines that one error shows; the rest is counted. */
const shownProblems = 50;

/** Everything that is wrong with one configuration, told in one error. */
export class Problems {
  readonly #lines = new Set<string>();
  /** Those that are counted and not told. */
  #more = 0;

  /** `message` goes on after the path: "must be …", "has no key …"; with a capital letter it stands alone. */
  add(source: Source, path: Path, message: string, at: Path = path): void {
    // Finding the position goes through the whole file each time.
    if (this.#lines.size >= shownProblems) this.#more++;
    else this.addAt(source.file, sentence(path, message), source.locate(at));
  }

  addAt(file: string, message: string, position?: Position | undefined): void {
    const where =
      position === undefined ? "" : ` (line ${position.line}, column ${position.column})`;
    this.#lines.add(`${fileText(file)}: ${message}${where}`);
  }

  /** @throws ToolstileError `ERR_CONFIG` with one line for each problem, if there is one. */
  throwIfFound(): void {
    if (this.#lines.size === 0) return;
    const lines = [...this.#lines];
    const rest = lines.length - shownProblems + this.#more;
    const shown = lines.slice(0, shownProblems);
    if (rest > 0) shown.push(`and ${rest} more`);
    throw new ToolstileError("ERR_CONFIG", shown.join("\n"));
  }
}

/** A message behind its path: "models[0].engine must be text". */
export function sentence(path: Path, message: string): string {
  if (path.length === 0) return message;
  return `${pathText(path)}${/^[a-z]/.test(message) ? " " : ": "}${message}`;
}

export function fileText(file: string): string {
  return /^[\w<][\w ./>-]*$/.test(file) ? file : quoted(file);
}
