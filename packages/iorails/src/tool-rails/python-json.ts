/**
 * The text that Python's `json.dumps` writes for a JSON value: blanks behind
 * commas and colons, and of what is not ASCII the code units. NeMo's patterns
 * are written against it.
 */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([key, member]) => `${asciiText(key)}: ${pythonJson(member)}`).join(", ")}}`;
  }
  return typeof value === "string" ? asciiText(value) : (JSON.stringify(value) ?? "null");
}

function asciiText(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Every text in a JSON value, the names of members among them. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}
