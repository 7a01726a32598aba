import type { JsonValue } from "@toolstile/core";
import type { MappingEvent, SequenceEvent } from "js-yaml";

/** Numbers of nodes and aliases, with those that aliases repeat. */
export interface Size {
  readonly nodes: number;
  readonly aliases: number;
}

/** The value that an anchor stands for. */
export interface Anchored {
  /** The position of its event. */
  readonly at: number;
  readonly value: JsonValue;
  readonly size: Size;
  /** Levels of lists and mappings. */
  readonly height: number;
}

/** A list or mapping that is not complete. */
export interface Frame {
  readonly event: SequenceEvent | MappingEvent;
  readonly at: number;
  readonly value: JsonValue[] | Record<string, JsonValue>;
  /** The numbers of all nodes and aliases when it began. */
  readonly before: Size;
  /** The key whose value comes next; nothing where a key comes next. */
  key: string | undefined;
  /** That of its keys, if it is a block. */
  column: number | undefined;
  /** Levels below it. */
  height: number;
}

/** True for a mapping whose next value is a key. */
export function awaitsKey({ value, key }: Frame): boolean {
  return key === undefined && !Array.isArray(value);
}

/** The size of a value that holds no others. */
export const single: Size = { nodes: 1, aliases: 0 };

/** The data behind an alias is a copy of its own. */
export function copyOf(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: Record<string, JsonValue> = Object.create(null);
  for (const [key, member] of Object.entries(value)) copy[key] = copyOf(member as JsonValue);
  return copy;
}
