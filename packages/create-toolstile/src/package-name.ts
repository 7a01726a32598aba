const name = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/** True for a name that npm accepts for a new package. */
export function isPackageName(text: string): boolean {
  return text.length <= 214 && name.test(text) && text !== "node_modules";
}

/** The name without its scope: `tea` of `@shop/tea`. */
export function unscoped(packageName: string): string {
  return packageName.slice(packageName.indexOf("/") + 1);
}
