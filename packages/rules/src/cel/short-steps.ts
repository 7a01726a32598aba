import { isJsonObject, own } from "@toolstile/core/provider";
import type { Pattern } from "../patterns/pattern.js";
import { searchCost } from "./functions/strings.js";
import type { Meter } from "./meter.js";

/** Gives a value of JSON out of those of the variables; undefined where the library must be asked. */
export type Step = (frame: unknown[]) => unknown;

type Ordered = (left: string | number, right: string | number) => boolean;

/** The comparisons of two numbers, or of two texts. */
export const orders: ReadonlyMap<string, Ordered> = new Map<string, Ordered>([
  ["_<_", (left, right) => left < right],
  ["_<=_", (left, right) => left <= right],
  ["_>_", (left, right) => left > right],
  ["_>=_", (left, right) => left >= right],
]);

type OfTexts = (text: string, part: string, meter: Meter) => boolean;

/** The functions of two texts. */
export const ofTexts: ReadonlyMap<string, OfTexts> = new Map<string, OfTexts>([
  ["startsWith", (text, part) => text.startsWith(part)],
  ["endsWith", (text, part) => text.endsWith(part)],
  [
    "contains",
    (text, part, meter) => {
      meter.take(searchCost(text, part));
      return text.includes(part);
    },
  ],
]);

/**
 * Makes the steps of an expression. What is not plain gives undefined: a member
 * that is not there, a value of another kind, lists and maps that are compared.
 *
 * Each step takes about as many units as the library does.
 */
export class Steps {
  readonly #meter: Meter;

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  constant(value: unknown): Step {
    return () => value;
  }

  variable(slot: number): Step {
    return (frame) => frame[slot];
  }

  member(of: Step, name: string): Step {
    return (frame) => {
      const holder = of(frame);
      return isJsonObject(holder) ? this.#read(own(holder, name)) : undefined;
    };
  }

  item(of: Step, index: number): Step {
    return (frame) => {
      const list = of(frame);
      return Array.isArray(list) && index < list.length ? itemOf(list, index) : undefined;
    };
  }

  has(of: Step, name: string): Step {
    return (frame) => {
      const holder = of(frame);
      return isJsonObject(holder) ? isThere(holder, name) : undefined;
    };
  }

  /** True if all are `wanted`, else not `wanted`: what `&&` says of true, and `||` of false. */
  every(parts: readonly Step[], wanted: boolean): Step {
    return (frame) => {
      for (const part of parts) {
        const is = part(frame);
        if (is !== wanted) return is === !wanted ? is : undefined;
      }
      return wanted;
    };
  }

  not(of: Step): Step {
    return (frame) => {
      const is = of(frame);
      return typeof is === "boolean" ? !is : undefined;
    };
  }

  choice(condition: Step, one: Step, other: Step): Step {
    return (frame) => {
      const is = condition(frame);
      return typeof is === "boolean" ? (is ? one : other)(frame) : undefined;
    };
  }

  ordered(left: Step, right: Step, holds: Ordered): Step {
    return (frame) => {
      const [one, other] = [left(frame), right(frame)];
      if (typeof one === "number" && typeof other === "number") return holds(one, other);
      if (typeof one !== "string" || typeof other !== "string") return undefined;
      this.#take(one, other);
      return holds(one, other);
    };
  }

  equal(left: Step, right: Step, wanted: boolean): Step {
    return (frame) => {
      const is = this.#equal(left(frame), right(frame));
      return is === undefined ? undefined : is === wanted;
    };
  }

  #equal(one: unknown, other: unknown): boolean | undefined {
    if (!isScalar(one) || !isScalar(other)) return undefined;
    if (typeof one === "string" && typeof other === "string") this.#take(one, other);
    return one === other;
  }

  within(value: Step, range: Step): Step {
    return (frame) => {
      const [wanted, all] = [value(frame), range(frame)];
      if (wanted === undefined) return undefined;
      if (isJsonObject(all)) return typeof wanted === "string" ? isThere(all, wanted) : undefined;
      if (!Array.isArray(all)) return undefined;
      for (let index = 0; index < all.length; index++) {
        const is = this.#equal(wanted, itemOf(all, index));
        if (is !== false) return is;
      }
      return false;
    };
  }

  text(of: Step, part: Step, holds: OfTexts): Step {
    return (frame) => {
      const [one, other] = [of(frame), part(frame)];
      if (typeof one !== "string" || typeof other !== "string") return undefined;
      this.#take(one, other);
      return holds(one, other, this.#meter);
    };
  }

  matches(of: Step, pattern: Pattern): Step {
    return (frame) => {
      const text = of(frame);
      if (typeof text !== "string") return undefined;
      this.#meter.take(text.length * pattern.unitsPerCharacter);
      return pattern.test(text);
    };
  }

  size(of: Step): Step {
    return (frame) => {
      const value = of(frame);
      if (Array.isArray(value)) return value.length;
      if (typeof value !== "string") return undefined;
      this.#take(value, "");
      return /[\ud800-\udfff]/.test(value) ? Array.from(value).length : value.length;
    };
  }

  /** `exists`, which ends at the first that is true, and `all`, which ends at the first that is false. */
  macro(range: Step, slot: number, test: Step, ends: boolean, units: number): Step {
    return (frame) => {
      const list = range(frame);
      if (!Array.isArray(list)) return undefined;
      for (let index = 0; index < list.length; index++) {
        this.#meter.take(units);
        frame[slot] = itemOf(list, index);
        const is = test(frame);
        if (is !== !ends) return is === ends ? is : undefined;
      }
      return !ends;
    };
  }

  /** A value that was read out of another. The library goes through a list, and what lists are in it, as it is read. */
  #read(value: unknown): unknown {
    if (!Array.isArray(value)) return ofJson(value);
    this.#meter.take(value.length);
    return value.some(Array.isArray) ? undefined : value;
  }

  #take(one: string, other: string): void {
    this.#meter.take(1 + (one.length + other.length) / 64);
  }
}

/** What is no value of JSON is not there. */
export function ofJson(value: unknown): unknown {
  return isScalar(value) || typeof value === "object" ? value : undefined;
}

/** In a list, the library has null in place of what is not there. */
function itemOf(list: readonly unknown[], index: number): unknown {
  return ofJson(list[index]) ?? null;
}

function isThere(map: Readonly<Record<string, unknown>>, name: string): boolean {
  return Object.hasOwn(map, name) && ofJson(map[name]) !== undefined;
}

function isScalar(value: unknown): boolean {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return true;
    default:
      return value === null;
  }
}
