import type { Path } from "@toolstile/config/yaml";
import { type Data, emptyObject } from "../plain-data.js";
import type { Read, Shape } from "../shape.js";

/** Tells of a problem at a path inside a section. */
export type Tell = (path: Path, message: string) => void;

/** One section of `rails.config`, as the table of sections has it. */
export interface ConfigSection<T> {
  /** Reads it under its own keys, with every default filled in. What cannot be read is told of, and is as if it were not there. */
  readonly read: (given: Data | undefined, path: Path, read: Read, report: Tell) => T;
}

/**
 * A section with this content. An absent one has that of an empty mapping.
 *
 * @param check tells what a shape cannot say, of a section that is there.
 */
export function configSection<T>(
  shape: Shape<T>,
  check: (content: T, tell: Tell) => void = () => {},
): ConfigSection<T> {
  return {
    read: (given, path, read, report) => {
      const content = given === undefined ? undefined : read(given, shape, path);
      if (content === undefined) return read(emptyObject(), shape, path) as T;
      check(content, (at, message) => report([...path, ...at], message));
      return content;
    },
  };
}
