import { Meter } from "../cost/meter.js";

const stepsPerValue = 20;
/** The cost of a member of an object, which has to be found and put in order. */
const stepsPerKey = 30;
/** Objects with more members are tables to V8, which takes long to list them. */
const mostFast = 1000;
const stepsInTable = 100;

/**
 * A text that two JSON values share exactly when they are equal: 1.0 is 1,
 * -0 is 0, the order of keys is nothing.
 *
 * The first character is never a digit. A set of such texts is safe from
 * values made to collide, which plain numbers and numeric strings are not in
 * V8.
 */
export function exactKey(value: unknown, meter: Meter): string {
  if (typeof value === "string") {
    meter.take(stepsPerValue + (value.length >> 1));
    return JSON.stringify(value);
  }
  meter.take(stepsPerValue);
  if (typeof value === "number") return `#${value}`;
  if (Array.isArray(value)) {
    let text = "[";
    for (let i = 0; i < value.length; i++) text += `${exactKey(value[i], meter)},`;
    return `${text}]`;
  }
  if (typeof value === "object" && value !== null) {
    let text = "{";
    const keys = Object.keys(value);
    meter.take(keys.length * (keys.length > mostFast ? stepsInTable : stepsPerKey));
    for (const key of keys.sort()) {
      const member = (value as Record<string, unknown>)[key];
      if (member !== undefined) {
        text += `${exactKey(key, meter)}:${exactKey(member, meter)},`;
      }
    }
    return `${text}}`;
  }
  return String(value);
}

/** For what is done once, and charged to no check. */
export const unlimited = new Meter(Number.POSITIVE_INFINITY);

/** True if no two items are equal, in time linear in the size of the array. */
export function allUnique(items: readonly unknown[], meter: Meter): boolean {
  const keys = new Set<string>();
  for (let i = 0; i < items.length; i++) {
    const key = exactKey(items[i], meter);
    if (keys.has(key)) return false;
    keys.add(key);
  }
  return true;
}
