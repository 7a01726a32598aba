import type { SchemaNode } from "../graph/schema-node.js";

/** True if a schema accepts `null`, read off the schema: only these keywords can tell. */
export function nullPasses(node: SchemaNode): boolean {
  if (node.never) return false;
  const { assertions, one, lists } = node;
  const type = assertions.get("type");
  if (type !== undefined && ![type].flat().includes("null")) return false;
  const allowed = assertions.get("enum");
  if (Array.isArray(allowed) && !allowed.includes(null)) return false;
  if (assertions.has("const") && assertions.get("const") !== null) return false;
  if (!passesOne(one, "$ref") || !(lists.get("allOf") ?? []).every(nullPasses)) return false;
  const anyOf = lists.get("anyOf");
  if (anyOf !== undefined && !anyOf.some(nullPasses)) return false;
  const oneOf = lists.get("oneOf");
  if (oneOf !== undefined && oneOf.filter(nullPasses).length !== 1) return false;
  const not = one.get("not");
  if (not !== undefined && nullPasses(not)) return false;
  const condition = one.get("if");
  return condition === undefined || passesOne(one, nullPasses(condition) ? "then" : "else");
}

function passesOne(one: SchemaNode["one"], keyword: string): boolean {
  const node = one.get(keyword);
  return node === undefined || nullPasses(node);
}
