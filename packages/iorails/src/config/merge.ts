import { type Path, pathText } from "@toolstile/config/yaml";
import { isJsonObject, quoted } from "@toolstile/core/provider";
import { nameToday } from "./older-names.js";
import { type Data, type DataObject, emptyObject } from "./plain-data.js";
import { fileText, type Problems } from "./problems.js";
import type { SourceData } from "./sources.js";

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
   * upstream's last file wins, by the order of the file system. A key with an
   * older name is merged under today's; both names are a problem.
   */
  constructor(sources: readonly SourceData[], ignored: ReadonlySet<string>, problems: Problems) {
    this.#problems = problems;
    for (const source of sources) {
      for (const [key, value] of Object.entries(source.data)) {
        if (!ignored.has(key)) this.#merge(this.data, key, value, [key], { source, path: [key] });
      }
    }
  }

  /** The name under which a key was written: it may be an older one. */
  nameWritten(path: Path): string {
    const written = this.#origins.get(JSON.stringify(path))?.path ?? path;
    return String(written.at(-1));
  }

  /**
   * Tell of a problem at a path of the merged data, in the file's own terms.
   *
   * @param child the member to blame, if it is one that should not be there: said of the value, located at it.
   */
  add(path: Path, message: string, child?: string): void {
    const place = child === undefined ? path : [...path, child];
    for (let length = place.length; length > 0; length--) {
      const origin = this.#origins.get(JSON.stringify(place.slice(0, length)));
      if (origin === undefined) continue;
      const inFile = [...origin.path, ...place.slice(length)];
      const saidOf = child === undefined ? inFile : inFile.slice(0, -1);
      this.#problems.add(origin.source, saidOf, message, origin.path);
      return;
    }
    this.#problems.addAt("configuration", `${pathText(path)} ${message}`.trim());
  }

  #merge(into: DataObject, key: string, value: Data, path: Path, origin: Origin): void {
    const present = into[key];
    const first = this.#origins.get(JSON.stringify(path));
    if (first !== undefined && first.path.at(-1) !== origin.path.at(-1)) {
      const names = [first.path.at(-1), origin.path.at(-1)].map((name) => quoted(String(name)));
      const message = `has both ${names.join(" and ")}, which are two names of one: one of the two must go`;
      this.#problems.add(origin.source, origin.path.slice(0, -1), message, origin.path);
    } else if (present === undefined || present === null) {
      into[key] = this.#copy(value, path, origin);
    } else if (Array.isArray(present) && Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const place = [...path, present.length];
        present.push(this.#copy(item, place, { ...origin, path: [...origin.path, index] }));
      }
    } else if (isJsonObject(present) && isJsonObject(value)) {
      this.#mergeMembers(present, value, path, origin);
    } else if (value !== null && value !== present) {
      const file = fileText(first?.source.file ?? "");
      const message = `is not what ${file} says: one of the two must go`;
      this.#problems.add(origin.source, origin.path, message);
    }
  }

  #copy(value: Data, path: Path, origin: Origin): Data {
    this.#origins.set(JSON.stringify(path), origin);
    if (Array.isArray(value)) {
      return value.map((item, index) =>
        this.#copy(item, [...path, index], { ...origin, path: [...origin.path, index] }),
      );
    }
    if (!isJsonObject(value)) return value;
    const object = emptyObject();
    this.#mergeMembers(object, value, path, origin);
    return object;
  }

  #mergeMembers(into: DataObject, from: DataObject, path: Path, origin: Origin): void {
    for (const [name, member] of Object.entries(from)) {
      const today = nameToday(path, name);
      const place = { ...origin, path: [...origin.path, name] };
      this.#merge(into, today, member, [...path, today], place);
    }
  }
}
