import type { SchemaNode } from "../graph/schema-node.js";

type Keywords = { [keyword: string]: unknown };
type Emitted = boolean | Keywords;

/**
 * Writes a graph as one schema for Ajv: local references only, no ids, no
 * keyword that Ajv is not meant to act on, objects that inherit nothing.
 */
export function emitSchema(nodes: readonly SchemaNode[]): Keywords {
  /** The schemas that are referred to. The others stand where they are used. */
  const names = new Map<SchemaNode, string>();
  for (const node of nodes) if (node.target) names.set(node, String(names.size));
  const definitions = record();
  for (const [node, name] of names) definitions[name] = branch(write(node));
  const schema = branch(use(nodes[0] as SchemaNode));
  schema.$defs = definitions;
  return schema;

  function use(node: SchemaNode): Emitted {
    const name = names.get(node);
    return name === undefined ? write(node) : record([["$ref", `#/$defs/${name}`]]);
  }

  function write(node: SchemaNode): Emitted {
    if (node.never) return false;
    const schema = record([...node.assertions]);
    for (const [keyword, inner] of node.one) {
      schema[keyword] = keyword === "$ref" ? `#/$defs/${names.get(inner)}` : use(inner);
    }
    for (const [keyword, list] of node.lists) schema[keyword] = list.map(use);
    for (const [keyword, map] of node.maps) {
      schema[keyword] = record([...map].map(([key, inner]) => [key, use(inner)]));
    }
    return schema;
  }
}

/** A schema as the one branch of another: Ajv can be told to make no errors for a branch. */
function branch(schema: Emitted): Keywords {
  return record([["allOf", [schema]]]);
}

function record(entries: readonly (readonly [string, unknown])[] = []): Keywords {
  const made = Object.create(null) as Keywords;
  for (const [key, value] of entries) made[key] = value;
  return made;
}
