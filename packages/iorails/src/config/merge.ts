import { type Data, type DataObject, emptyObject, isDataObject } from "./plain-data.js";
import { fileText, type Path, type Problems, pathText } from "./problems.js";
import type { SourceData } from "./yaml-source.js";

interface Origin {
  readonly source: SourceData;
  readonly path: Path;
}

/** Several sources as one, and of every value the file that it came from. */
export class MergedData {
  readonly data: DataObject = emptyObject();
  readonly #origins = new Map<string, Origin>();
  readonly #problems: Problems;

  /**
   * Lists are concatenated and mappings merged, in the order of the sources.
   * Two different scalars in one place are a problem that names both files:
   * upstream's last file wins, by the order of the file system.
   */
  constructor(sources: readonly SourceData[], ignored: ReadonlySet<string>, problems: Problems) {
    this.#problems = problems;
    for (const source of sources) {
      for (const [key, value] of Object.entries(source.data)) {
        if (!ignored.has(key)) this.#merge(this.data, key, value, [key], { source, path: [key] });
      }
    }
  }

  /** Tell of a problem at a path of the merged data, in the file's own terms. */
  add(path: Path, message: string): void {
    for (let length = path.length; length > 0; length--) {
      const origin = this.#origins.get(JSON.stringify(path.slice(0, length)));
      if (origin === undefined) continue;
      const inFile = [...origin.path, ...path.slice(length)];
      this.#problems.add(origin.source, inFile, message, origin.path);
      return;
    }
    this.#problems.addAt("configuration", `${pathText(path)} ${message}`.trim());
  }

  /** Tell that `child` of the value at `path` is wrong: said of the value, located at the child. */
  addOfChild(path: Path, child: string, message: string): void {
    const origin = this.#origins.get(JSON.stringify([...path, child]));
    if (origin === undefined) this.add(path, message);
    else this.#problems.add(origin.source, origin.path.slice(0, -1), message, origin.path);
  }

  #merge(into: DataObject, key: string, value: Data, path: Path, origin: Origin): void {
    const present = into[key];
    if (present === undefined || present === null) {
      into[key] = this.#copy(value, path, origin);
    } else if (Array.isArray(present) && Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const place = [...path, present.length];
        present.push(this.#copy(item, place, { ...origin, path: [...origin.path, index] }));
      }
    } else if (isDataObject(present) && isDataObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        const from = { ...origin, path: [...origin.path, name] };
        this.#merge(present, name, member, [...path, name], from);
      }
    } else if (value !== null && value !== present) {
      const first = this.#origins.get(JSON.stringify(path))?.source.file ?? "";
      const message = `is not what ${fileText(first)} says: one of the two must go`;
      this.#problems.add(origin.source, origin.path, message);
    }
  }

  #copy(value: Data, path: Path, origin: Origin): Data {
    this.#origins.set(JSON.stringify(path), origin);
    const from = (step: string | number): Origin => ({ ...origin, path: [...origin.path, step] });
    if (Array.isArray(value)) {
      return value.map((item, index) => this.#copy(item, [...path, index], from(index)));
    }
    if (!isDataObject(value)) return value;
    const object = emptyObject();
    for (const [name, member] of Object.entries(value)) {
      object[name] = this.#copy(member, [...path, name], from(name));
    }
    return object;
  }
}
