import { quoted, ToolstileError } from "@toolstile/core";

/** Keys and list positions from the root of a file. */
export type Path = readonly (string | number)[];

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One file, or one argument, that a configuration is read from. */
export interface Source {
  /** Relative to the folder, with `/`. */
  readonly file: string;
  /** Where the value at a path stands in the file. */
  readonly locate: (path: Path) => Position | undefined;
}

/** Lines that one error shows; the rest is counted. */
const shownProblems = 50;

/** Everything that is wrong with one configuration, told in one error. */
export class Problems {
  readonly #lines = new Set<string>();
  /** Those that are counted and not told. */
  #more = 0;

  get found(): boolean {
    return this.#lines.size > 0;
  }

  /** `message` goes on after the path: "must be …", "has no key …"; with a capital letter it stands alone. */
  add(source: Source, path: Path, message: string, at: Path = path): void {
    const goesOn = /^[a-z]/.test(message) ? " " : ": ";
    const place = path.length === 0 ? "" : `${pathText(path)}${goesOn}`;
    // Finding the position goes through the whole file each time.
    if (this.#lines.size >= shownProblems) this.#more++;
    else this.addAt(source.file, `${place}${message}`, source.locate(at));
  }

  addAt(file: string, message: string, position?: Position | undefined): void {
    const where =
      position === undefined ? "" : ` (line ${position.line}, column ${position.column})`;
    this.#lines.add(`${fileText(file)}: ${message}${where}`);
  }

  /** @throws ToolstileError `ERR_CONFIG` with one line for each problem, if there is one. */
  throwIfFound(): void {
    if (!this.found) return;
    const lines = [...this.#lines];
    const rest = lines.length - shownProblems + this.#more;
    const shown = lines.slice(0, shownProblems);
    if (rest > 0) shown.push(`and ${rest} more`);
    throw new ToolstileError("ERR_CONFIG", shown.join("\n"));
  }
}

/** `models[0].engine`; keys that are no plain words are quoted. */
export function pathText(path: Path): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (!/^[\w$-]{1,64}$/.test(step)) text += `[${quoted(step)}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}

export function fileText(file: string): string {
  return /^[\w<][\w ./>-]*$/.test(file) ? file : quoted(file);
}
