import { isObject, optionError, ownValue } from "@toolstile/core/provider";
/** One place where two definitions differ. */
export interface DefinitionChange {
  /** A JSON pointer. */
  readonly path: string;
  /** Absent: it was added. */
  readonly before?: unknown;
  /** Absent: it was removed. */
  readonly after?: unknown;
}

/** The differences of two definitions, leaf by leaf. The order of an object's members does not count. */
export function definitionChanges(before: unknown, after: unknown, path = ""): DefinitionChange[] {
  if (isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) =>
      definitionChanges(ownValue(before, key), ownValue(after, key), `${path}/${escaped(key)}`),
    );
  }
  if (before === after) return [];
  return [
    {
      path,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    },
  ];
}

/**
 * The changes as text for a reviewer: two lines for each, `-` before and `+` after.
 *
 * Anything but printable ASCII is escaped, so that no two definitions look
 * alike and none hides a character.
 */
export function renderChanges(changes: readonly DefinitionChange[]): string {
  const line = (sign: string, { path }: DefinitionChange, value: unknown): string =>
    `${sign} ${visible(JSON.stringify(path))}: ${visible(JSON.stringify(value))}\n`;
  if (!Array.isArray(changes))
    throw optionError("renderChanges()", "changes", "a list of changes", changes);
  return changes
    .map(
      (change) =>
        (Object.hasOwn(change, "before") ? line("-", change, change.before) : "") +
        (Object.hasOwn(change, "after") ? line("+", change, change.after) : ""),
    )
    .join("");
}

function visible(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
