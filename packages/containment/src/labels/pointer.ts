import { invalidOption, quoted } from "@toolstile/core/host";

/** The names that lead from a value to values in it. `*` leads to each member or entry. */
export type Pointer = readonly string[];

const longestPointer = 32;

/** @throws ToolstileError `ERR_INVALID_OPTION` for a text that is not a JSON Pointer. */
export function readPointer(text: string, where: string, option: string): Pointer {
  if (text === "") return [];
  if (!text.startsWith("/") || /~(?![01])/.test(text)) {
    throw invalidOption(
      where,
      `'${option}' must be a JSON Pointer, as in /to or /items/*/id, received ${quoted(text)}.`,
    );
  }
  const names = text.slice(1).split("/");
  if (names.length > longestPointer) {
    throw invalidOption(where, `'${option}' must have at most ${longestPointer} steps.`);
  }
  return names.map((name) => name.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/** Reads the values that a pointer leads to. A list or an object at its end gives all texts and numbers in it. */
export function valuesAt(root: unknown, pointer: Pointer, most: number): readonly unknown[] {
  const found: unknown[] = [];
  walk(root, pointer, 0, found, most);
  return found;
}

function walk(
  value: unknown,
  pointer: Pointer,
  from: number,
  found: unknown[],
  most: number,
): void {
  if (value === undefined || value === null || found.length >= most) return;
  const name = pointer[from];
  if (name === undefined) {
    if (typeof value !== "object") found.push(value);
    else for (const each of Object.values(value)) walk(each, pointer, from, found, most);
    return;
  }
  if (typeof value !== "object") {
    // One value in place of a list of one.
    if (name === "*" && from === pointer.length - 1) found.push(value);
    return;
  }
  if (name === "*") {
    for (const each of Object.values(value)) walk(each, pointer, from + 1, found, most);
  } else if (Object.hasOwn(value, name)) {
    walk((value as Record<string, unknown>)[name], pointer, from + 1, found, most);
  }
}
