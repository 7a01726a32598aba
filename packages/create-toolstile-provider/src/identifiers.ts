import { unscoped } from "create-toolstile";

/** The names that a provider's package needs besides its own. */
export interface Identifiers {
  /** The guard's name, and its file's: `office-hours`. */
  readonly guard: string;
  /** The function that makes it: `officeHours`. */
  readonly camel: string;
  /** The first part of its types: `OfficeHours`. */
  readonly pascal: string;
}

const reserved = new Set(
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield arguments eval".split(
    " ",
  ),
);

/**
 * Makes them from the package's name: `@shop/toolstile-provider-office-hours` has `office-hours`.
 *
 * @param taken The identifiers that the template has for something else.
 */
export function identifiersOf(packageName: string, taken: ReadonlySet<string>): Identifiers {
  const words = unscoped(packageName)
    .replace(/^(?:toolstile-)?(?:provider-)?/, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const guard = words.length === 0 ? "my-guard" : words.join("-");
  const joined = guard
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  const pascal = /^[0-9]/.test(joined) ? `Guard${joined}` : joined;
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  const isFree = !reserved.has(camel) && !taken.has(camel) && !taken.has(`${pascal}Options`);
  return isFree
    ? { guard, camel, pascal }
    : { guard, camel: `${camel}Guard`, pascal: `${pascal}Guard` };
}
