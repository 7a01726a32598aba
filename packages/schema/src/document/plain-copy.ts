import { Inadmissible } from "./inadmissible.js";
import { escapeSegment } from "./json-pointer.js";

/** JSON with objects that inherit nothing, so that reading a keyword sees own ones only. */
export type Plain = string | number | boolean | null | PlainObject | readonly Plain[];
export interface PlainObject {
  readonly [key: string]: Plain | undefined;
}

/** The longest schema that is admitted. Real tool schemas stay far below. */
export const maxCharacters = 256 * 1024;
const maxDepth = 128;

export interface PlainCopy {
  readonly value: Plain;
  /** The same text for the same content, whatever the order of the keys. */
  readonly text: string;
  /** True if the original can never change: frozen data properties to the leaves. */
  readonly frozen: boolean;
}

/**
 * A private copy of a schema.
 *
 * @throws Inadmissible for what is not JSON, is too long, or nests too deeply.
 */
export function plainCopy(schema: unknown): PlainCopy {
  return new Copier().copy(schema);
}

class Copier {
  private left = maxCharacters;
  private frozen = true;

  copy(schema: unknown): PlainCopy {
    const { value, text } = this.read(schema, "", 0);
    return { value, text, frozen: this.frozen };
  }

  private read(value: unknown, pointer: string, depth: number): { value: Plain; text: string } {
    if (depth > maxDepth) {
      throw new Inadmissible(pointer, `the schema nests deeper than ${maxDepth} levels`);
    }
    if (Array.isArray(value)) return this.readArray(value, pointer, depth);
    if (typeof value === "object" && value !== null) return this.readObject(value, pointer, depth);
    const json =
      value === null ||
      typeof value === "string" ||
      typeof value === "boolean" ||
      (typeof value === "number" && Number.isFinite(value));
    if (!json) throw new Inadmissible(pointer, "the schema holds a value that is not JSON");
    const text = JSON.stringify(value);
    this.spend(text.length);
    return { value: value as Plain, text };
  }

  private readArray(
    array: readonly unknown[],
    pointer: string,
    depth: number,
  ): { value: Plain; text: string } {
    this.spend(2 + array.length);
    if (!Object.isFrozen(array)) this.frozen = false;
    const values: Plain[] = [];
    const texts: string[] = [];
    for (let i = 0; i < array.length; i++) {
      const item = this.readProperty(array, String(i), `${pointer}/${i}`, depth);
      if (item === undefined) {
        throw new Inadmissible(`${pointer}/${i}`, "the schema holds a value that is not JSON");
      }
      values.push(item.value);
      texts.push(item.text);
    }
    return { value: values, text: `[${texts.join(",")}]` };
  }

  private readObject(
    object: object,
    pointer: string,
    depth: number,
  ): { value: Plain; text: string } {
    this.spend(2);
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw new Inadmissible(pointer, "the schema holds a value that is not JSON");
    }
    if (!Object.isFrozen(object)) this.frozen = false;
    const copy: Record<string, Plain> = Object.create(null) as Record<string, Plain>;
    const texts = new Map<string, string>();
    for (const key of Object.keys(object)) {
      this.spend(key.length + 4);
      const member = this.readProperty(object, key, `${pointer}/${escapeSegment(key)}`, depth);
      if (member === undefined) continue;
      copy[key] = member.value;
      texts.set(key, member.text);
    }
    const sorted = [...texts.keys()].sort();
    const text = sorted.map((key) => `${JSON.stringify(key)}:${texts.get(key)}`).join(",");
    return { value: copy, text: `{${text}}` };
  }

  private readProperty(
    holder: object,
    key: string,
    pointer: string,
    depth: number,
  ): { value: Plain; text: string } | undefined {
    const descriptor = Object.getOwnPropertyDescriptor(holder, key);
    if (descriptor === undefined) return undefined;
    if (!Object.hasOwn(descriptor, "value")) {
      throw new Inadmissible(pointer, "the schema holds an accessor");
    }
    return descriptor.value === undefined
      ? undefined
      : this.read(descriptor.value, pointer, depth + 1);
  }

  private spend(characters: number): void {
    this.left -= characters;
    if (this.left < 0) {
      throw new Inadmissible("", `the schema is longer than ${maxCharacters} characters`);
    }
  }
}
