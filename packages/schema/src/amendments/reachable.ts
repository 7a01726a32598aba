import type { SchemaNode } from "../graph/schema-node.js";

/** The schemas of the same value that count: those that always apply, or also those that may. */
export type Reach = "certain" | "possible";

const lists = { certain: ["allOf"], possible: ["allOf", "anyOf", "oneOf"] } as const;
const singles = { certain: ["$ref"], possible: ["$ref", "if", "then", "else"] } as const;

const known = { certain: new WeakMap(), possible: new WeakMap() } satisfies Record<
  Reach,
  WeakMap<SchemaNode, readonly SchemaNode[]>
>;

/** A schema and those that it applies to the same value: always, or perhaps. */
export function sameValueSchemas(node: SchemaNode, reach: Reach): readonly SchemaNode[] {
  const cached = known[reach].get(node) as readonly SchemaNode[] | undefined;
  if (cached !== undefined) return cached;
  const found = new Set<SchemaNode>([node]);
  for (const schema of found) {
    for (const keyword of singles[reach]) {
      const inner = schema.one.get(keyword);
      if (inner !== undefined) found.add(inner);
    }
    for (const keyword of lists[reach]) {
      for (const inner of schema.lists.get(keyword) ?? []) found.add(inner);
    }
    if (reach === "possible") {
      for (const inner of schema.maps.get("dependentSchemas")?.values() ?? []) found.add(inner);
    }
  }
  const schemas = [...found];
  known[reach].set(node, schemas);
  return schemas;
}

/** The schemas under one name in `properties`. */
export function memberSchemas(
  schemas: readonly SchemaNode[],
  name: string,
  reach: Reach,
): readonly SchemaNode[] {
  return schemas.flatMap((schema) => {
    const member = schema.maps.get("properties")?.get(name);
    return member === undefined ? [] : sameValueSchemas(member, reach);
  });
}

/** The schemas of one item of an array. */
export function itemSchemas(
  schemas: readonly SchemaNode[],
  index: number,
  reach: Reach,
): readonly SchemaNode[] {
  return schemas.flatMap((schema) => {
    const item = schema.lists.get("prefixItems")?.[index] ?? schema.one.get("items");
    return item === undefined ? [] : sameValueSchemas(item, reach);
  });
}
