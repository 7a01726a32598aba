/** A property of the value's own. Of what is no object, and of what a prototype holds, there is none. */
export function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** A text of the value's own that is not empty: an empty name or id counts as absent. */
export function ownText(value: unknown, key: string): string | undefined {
  const text = own(value, key);
  return typeof text === "string" && text !== "" ? text : undefined;
}
