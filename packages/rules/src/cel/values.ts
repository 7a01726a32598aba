import type { CelInput, CelMap } from "@bufbuild/cel";
import { own } from "@toolstile/core/provider";
import type { Cel } from "./load.js";
import type { Meter } from "./meter.js";

const int64 = 2 ** 63;
const uint64 = 2 ** 64;

/** Makes values of the language out of JSON. Members are converted when they are read. */
export class JsonValues {
  readonly #cel: Cel;
  readonly #meter: Meter;

  constructor(cel: Cel, meter: Meter) {
    this.#cel = cel;
    this.#meter = meter;
  }

  /** Whole numbers become int, from 2^63 on uint, from 2^64 on double; all others are double. */
  of(value: unknown): CelInput | undefined {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value;
      case "number":
        return this.#number(value);
      case "object":
        if (value === null) return null;
        return Array.isArray(value) ? this.#list(value) : this.#map(value);
      default:
        return undefined;
    }
  }

  #number(value: number): CelInput {
    if (!Number.isInteger(value) || value < -int64 || value >= uint64) return value;
    return value < int64 ? BigInt(value) : this.#cel.celUint(BigInt(value));
  }

  #list(values: readonly unknown[]): CelInput {
    this.#meter.take(values.length / 4);
    return this.#cel.celList(values.map((each) => this.of(each) ?? null));
  }

  #map(object: object): CelMap {
    this.#meter.take(1);
    const map = this.#cel.celMap(new Members(object, this, this.#meter));
    // The library's own takes a null for a member that is not there.
    map.has = (key) => map.get(key) !== undefined;
    return map;
  }
}

/** The own members of an object. One that is undefined is not there. */
class Members implements ReadonlyMap<string, CelInput> {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #values: JsonValues;
  readonly #meter: Meter;
  #names: readonly string[] | undefined;

  constructor(object: object, values: JsonValues, meter: Meter) {
    this.#object = object as Readonly<Record<string, unknown>>;
    this.#values = values;
    this.#meter = meter;
  }

  get(name: unknown): CelInput | undefined {
    return typeof name === "string" ? this.#values.of(own(this.#object, name)) : undefined;
  }

  has(name: unknown): boolean {
    return this.get(name) !== undefined;
  }

  get size(): number {
    return this.#own.length;
  }

  keys(): MapIterator<string> {
    return this.#own.values();
  }

  *values(): MapIterator<CelInput> {
    for (const [, value] of this.entries()) yield value;
  }

  *entries(): MapIterator<[string, CelInput]> {
    for (const name of this.#own) {
      const value = this.get(name);
      if (value !== undefined) yield [name, value];
    }
  }

  [Symbol.iterator](): MapIterator<[string, CelInput]> {
    return this.entries();
  }

  forEach(tell: (value: CelInput, name: string, map: ReadonlyMap<string, CelInput>) => void): void {
    for (const [name, value] of this.entries()) tell(value, name, this);
  }

  get #own(): readonly string[] {
    if (this.#names === undefined) {
      const names = Object.keys(this.#object);
      this.#names = names.filter((name) => this.#object[name] !== undefined);
      this.#meter.take(names.length / 4);
    }
    return this.#names;
  }
}
