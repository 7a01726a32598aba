import { digest } from "@toolstile/core/digest";
import type { Pin, PinnedDefinition } from "./pin-store.js";

const version = 1;

/** The text of a file of pins: one order, for the differences between two versions of it to be read. */
export function writePins(pins: readonly Pin[]): string {
  const sorted = [...pins].sort((one, other) => compare(keyOf(one), keyOf(other)));
  return `${JSON.stringify({ version, pins: sorted }, undefined, 2)}\n`;
}

/** @throws for anything but a whole file of pins whose digests are those of its definitions. */
export function readPins(text: string): readonly Pin[] {
  const { version: given, pins } = fields(JSON.parse(text), ["version", "pins"]);
  if (given !== version) throw new TypeError(`a file of version ${version} is wanted`);
  if (!Array.isArray(pins)) throw new TypeError("pins is a list");
  const read = pins.map(readPin);
  if (new Set(read.map(keyOf)).size !== read.length)
    throw new TypeError("a tool stands there twice");
  return read;
}

function readPin(value: unknown): Pin {
  const { server, tool, approved, seen } = fields(value, ["server", "tool", "approved", "seen"]);
  if (typeof server !== "string" || typeof tool !== "string")
    throw new TypeError("a pin has names");
  if (approved === undefined && seen === undefined) throw new TypeError("a pin pins nothing");
  return {
    server,
    tool,
    ...(approved !== undefined && { approved: readDefinition(approved) }),
    ...(seen !== undefined && { seen: readDefinition(seen) }),
  };
}

function readDefinition(value: unknown): PinnedDefinition {
  const { digest: given, definition, at } = fields(value, ["digest", "definition", "at"]);
  if (typeof at !== "string") throw new TypeError("a definition has a time");
  const read = fields(definition);
  if (typeof given !== "string" || given !== digest(read)) throw new TypeError("a digest is wrong");
  return { digest: given, definition: read, at };
}

/** The members of an object, if it has no others. */
function fields(value: unknown, known?: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError("an object is wanted");
  }
  const stray = known && Object.keys(value).find((key) => !known.includes(key));
  if (stray !== undefined) throw new TypeError("it has an unknown member");
  // Without a prototype, what is not there cannot come from anywhere else.
  return known === undefined
    ? (value as Record<string, unknown>)
    : Object.assign(Object.create(null), value);
}

function keyOf({ server, tool }: Pin): string {
  return JSON.stringify([server, tool]);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
