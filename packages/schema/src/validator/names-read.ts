import type { SchemaNode } from "../graph/schema-node.js";

/** The names that a graph's checks read from a value, and whether they walk all members. */
export function namesRead(nodes: readonly SchemaNode[]): {
  readonly names: ReadonlySet<string>;
  readonly walksMembers: boolean;
} {
  const names = new Set<string>();
  let walksMembers = false;
  for (const { assertions, one, maps } of nodes) {
    for (const name of (assertions.get("required") ?? []) as readonly string[]) names.add(name);
    const dependent = (assertions.get("dependentRequired") ?? {}) as Record<string, string[]>;
    for (const [name, needed] of Object.entries(dependent)) {
      for (const each of [name, ...needed]) names.add(each);
    }
    for (const keyword of ["properties", "dependentSchemas"]) {
      for (const name of maps.get(keyword)?.keys() ?? []) names.add(name);
    }
    walksMembers ||=
      maps.has("patternProperties") || one.has("additionalProperties") || one.has("propertyNames");
  }
  return { names, walksMembers };
}
