const identifier = /^[A-Za-z_$][\w$]{0,63}$/;

/**
 * The class of what a tool threw, and nothing of what it says.
 *
 * The class's name and not the error's own `name`, which anyone may write
 * text into; and only where it looks like a name.
 */
export function errorType(error: unknown): string {
  if (error === null || typeof error !== "object") return error === null ? "null" : typeof error;
  try {
    const name: unknown = Object.getPrototypeOf(error)?.constructor?.name;
    return typeof name === "string" && identifier.test(name) ? name : "object";
  } catch {
    return "object";
  }
}
