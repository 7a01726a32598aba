/** The value of JSON text; undefined, which JSON cannot say, for what is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
