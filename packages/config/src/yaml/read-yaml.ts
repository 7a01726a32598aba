import type { JsonValue } from "@toolstile/core";
import { build } from "./build.js";
import { Lines } from "./lines.js";
import type { Locate, Path, Position } from "./path.js";
import { Places } from "./places.js";
import { tooMany } from "./plain-json.js";
import { readSyntax, tooManyLines, tooManySigns } from "./syntax.js";

export const secondDocument = "cannot be read as YAML: there is more than one document";

/** One reason why a text is not read. It quotes nothing of the text. */
export interface YamlFault {
  readonly message: string;
  /** Empty if the file as a whole is at fault. */
  readonly path: Path;
  readonly position: Position | undefined;
}

/** The data in a text, or the reasons why it is not read. */
export interface YamlReading {
  /** Absent if there is a fault. The objects in it have no prototype. */
  readonly data: JsonValue | undefined;
  readonly faults: readonly YamlFault[];
  readonly locate: Locate;
}

/**
 * Reads YAML 1.2 with the core schema, which includes JSON.
 *
 * It takes one document that means the same to every reader: no key twice, no
 * merge keys, no directives, no tags of one's own, no number that a double
 * cannot hold, and only what JSON can say. Size, depth and aliases are bounded,
 * before anything is made of them.
 */
export function readYaml(text: string): YamlReading {
  if (typeof text !== "string") return refused(`it must be text, received ${typeof text}`);
  const lines = new Lines(text);
  const syntax = readSyntax(text);
  if ("refused" in syntax) return refused(syntax.refused, lines.at(syntax.offset));
  const { data, offences, aliases } = build(text, syntax.events);
  const places = new Places(text, syntax.events, aliases);
  const locate: Locate = (path) => {
    const offset = places.offsetOf(path);
    return offset === undefined ? undefined : lines.at(offset);
  };
  const faults = offences.map(({ problem, offset }): YamlFault => {
    const position = offset === undefined ? undefined : lines.at(offset);
    return { message: problem, path: [], position };
  });
  if (syntax.second !== undefined) {
    faults.unshift({ message: secondDocument, path: [], position: lines.at(syntax.second) });
  }
  return { data: faults.length > 0 ? undefined : data, faults, locate };
}

/** True if a text is refused because there is too much of it. */
export function isTooLarge({ faults }: YamlReading): boolean {
  return faults.some(({ message }) => tooLarge.has(message));
}

const tooLarge: ReadonlySet<string> = new Set([tooMany, tooManySigns, tooManyLines]);

function refused(message: string, position?: Position): YamlReading {
  const faults = [{ message, path: [], position }];
  return { data: undefined, faults, locate: () => undefined };
}
