import type { ToolDeclaration } from "../protocol/declaration.js";

type Index = ReadonlyMap<string, ToolDeclaration>;

/** The indexes of frozen lists; nothing for a list that was seen once, or whose tools may yet change. */
const indexes = new WeakMap<object, Index | "seen once" | "may change">();

/** Returns the first tool of a list that has a name. @throws what the list throws when it is read. */
export function declaredTool(
  list: readonly ToolDeclaration[],
  name: string,
): ToolDeclaration | undefined {
  const index = Object.isFrozen(list) ? indexOf(list) : undefined;
  return index === undefined ? list.find((tool) => tool?.name === name) : index.get(name);
}

/** Makes the index of a list the second time that it is seen: most lists come with one call. */
function indexOf(list: readonly ToolDeclaration[]): Index | undefined {
  const known = indexes.get(list);
  if (typeof known === "object") return known;
  if (known === undefined) indexes.set(list, "seen once");
  if (known !== "seen once") return undefined;
  const index = Array.from(list).every(isFixed) ? firstByName(list) : undefined;
  indexes.set(list, index ?? "may change");
  return index;
}

/** True if the name of a tool can neither change nor be another the next time that it is read. */
function isFixed(tool: ToolDeclaration): boolean {
  const name = Object.isFrozen(tool) && Object.getOwnPropertyDescriptor(Object(tool), "name");
  return name !== undefined && name !== false && "value" in name;
}

function firstByName(list: readonly ToolDeclaration[]): Index {
  // Of two tools with one name, the first counts: it is set last.
  return new Map(list.toReversed().map((tool) => [tool.name, tool]));
}
