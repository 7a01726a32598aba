import type { JsonValue } from "@toolstile/core";
import { OptionFaults, quoted, ToolstileError } from "@toolstile/core/provider";
import { type Locate, type Path, type Position, pathText } from "../yaml/path.js";
import type { YamlReading } from "../yaml/read-yaml.js";

/** One thing that is wrong with a guard.yaml, or with a file that it names. */
export interface GuardFileFault {
  /** As it was given, or as the guard.yaml names it. */
  readonly file: string;
  /** From 1 on. Absent where no place in the file is to blame, as where it is not there. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** `guards[1].with.windowMs`; empty for the file as a whole. */
  readonly path: string;
  /** The fault and the way out. It quotes no value of an option. */
  readonly message: string;
}

/** A guard.yaml that cannot be used, with everything that is wrong with it. */
export class GuardFileError extends ToolstileError {
  // Not a member of its own: a process that ends with this error would print each fault twice.
  readonly #faults: readonly GuardFileFault[];

  constructor(faults: readonly GuardFileFault[], details: { cause?: unknown } = {}) {
    super("ERR_CONFIG", faults.map(lineOf).join("\n"), details);
    this.#faults = Object.freeze(faults.map((fault) => Object.freeze(fault)));
  }

  get faults(): readonly GuardFileFault[] {
    return this.#faults;
  }
}

/** `guard.yaml:7:5: guards[1].with: …`, as editors and terminals make links of. */
function lineOf({ file, line, column, path, message }: GuardFileFault): string {
  const place = line === undefined ? "" : `:${line}:${column}`;
  return `${fileText(file)}${place}: ${path === "" ? "" : `${path}: `}${message}`;
}

function fileText(file: string): string {
  return /^[\w./@~: -]+$/.test(file) ? file : quoted(file);
}

/** The most faults that are reported. A file can be wrong in more places than anybody can read. */
const mostFaults = 100;

/** Gathers what is wrong with one file. */
export class Faults {
  readonly list: GuardFileFault[] = [];
  readonly #file: string;
  /** Set once the file has been read. */
  locate: Locate = () => undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Takes the faults of a text, and gives its data. */
  read({ data, faults, locate }: YamlReading): JsonValue | undefined {
    this.locate = locate;
    for (const { path, position, message } of faults) this.addAt(position, message, path);
    return data;
  }

  add(path: Path, message: string): void {
    // More are not told, and to find a place can cost more than to find the fault.
    if (this.list.length < mostFaults) this.addAt(this.locate(path), message, path);
  }

  addAt(position: Position | undefined, message: string, path: Path = []): void {
    this.addTo({ file: this.#file, ...position, path: pathText(path), message });
  }

  addTo(fault: GuardFileFault): void {
    if (this.list.length < mostFaults) this.list.push(fault);
  }

  /** Adds the error that loading a plugin threw. Each option that does not fit has a place of its own. */
  addError(path: Path, error: unknown): void {
    if (!ToolstileError.isInstance(error)) throw error;
    const faults = OptionFaults.of(error.cause);
    if (faults === undefined) this.add(path, withoutPlace(error.message, path));
    for (const fault of faults ?? []) this.add([...path, "with", ...fault.path], fault.text);
  }

  /** @throws GuardFileError if anything is wrong: this file's faults from top to bottom, then those of others. */
  throwIfAny(): void {
    if (this.list.length === 0) return;
    const inOrder = this.list.toSorted(
      (left, right) =>
        Number(left.file !== this.#file) - Number(right.file !== this.#file) ||
        (left.line ?? 0) - (right.line ?? 0) ||
        (left.column ?? 0) - (right.column ?? 0),
    );
    throw new GuardFileError(inOrder);
  }
}

/** A message that begins with the place says it twice. */
function withoutPlace(message: string, path: Path): string {
  const place = `${pathText(path)}: `;
  return message.startsWith(place) ? message.slice(place.length) : message;
}
