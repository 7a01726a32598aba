import { isJsonObject } from "@toolstile/core/provider";
import { Inadmissible } from "../document/inadmissible.js";
import { escapeSegment } from "../document/json-pointer.js";
import type { Plain, PlainObject } from "../document/plain-copy.js";
import { adaptAssertions } from "./older-assertions.js";
import type { Location, Resource, Resources } from "./resources.js";
import type { SchemaNode } from "./schema-node.js";
import { type Applied, refuseUnmeant } from "./unknown-keywords.js";

/** Real tool schemas stay far below; compiling this many takes a tenth of a second. */
const maxSubschemas = 1000;

/** The schema of each anchor name, as far as the outermost resources have decided it. */
type DynamicScope = ReadonlyMap<string, Location>;

/**
 * Follows every reference of a schema, and gives back its graph.
 *
 * `$dynamicRef` and `$recursiveRef` are decided here and not when a value is
 * checked: a schema is read once for each dynamic scope that can reach it.
 *
 * @param stray is told of a schema that only a reference leads to, before it is read. What it throws is thrown.
 * @throws Inadmissible where a reference leads nowhere, a keyword is misspelt, or the schema is too large.
 */
export function schemaGraph(
  resources: Resources,
  stray: (location: Location) => void = () => {},
): readonly SchemaNode[] {
  return new GraphReader(resources, stray).read();
}

class GraphReader {
  private readonly resources: Resources;
  private readonly stray: (location: Location) => void;
  private readonly strays = new Set<Plain>();
  private readonly nodes: SchemaNode[] = [];
  private readonly byScope = new Map<string, Map<Plain, SchemaNode>>();
  private readonly scopeIds = new Map<Location, number>();
  private readonly pending: (() => void)[] = [];
  private readonly applied: Applied[] = [];

  constructor(resources: Resources, stray: (location: Location) => void) {
    this.resources = resources;
    this.stray = stray;
  }

  read(): readonly SchemaNode[] {
    this.node(this.resources.root, new Map());
    // References are followed from a queue: a long chain of them must not use up the stack.
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) next();
    refuseUnmeant(this.applied, this.nodes);
    return this.nodes;
  }

  private node(location: Location, outer: DynamicScope): SchemaNode {
    const { schema, pointer, resource } = location;
    if (!isJsonObject(schema)) {
      if (typeof schema !== "boolean") throw new Inadmissible(pointer, "there is no schema there");
      return this.add(pointer, !schema);
    }
    const scope = this.enter(resource, outer);
    const key = this.scopeKey(scope);
    const known = this.byScope.get(key) ?? new Map<Plain, SchemaNode>();
    this.byScope.set(key, known);
    const seen = known.get(schema);
    if (seen !== undefined) return seen;
    const evaluates = resource.dialect.draft === "2020-12";
    const node = this.add(pointer, false, evaluates, schema.default);
    known.set(schema, node);
    this.pending.push(() => this.fill(node, schema, location, scope));
    return node;
  }

  private add(
    pointer: string,
    never = false,
    containsEvaluates = false,
    fallback?: Plain,
  ): SchemaNode {
    if (this.nodes.length >= maxSubschemas) {
      throw new Inadmissible("", `the schema has more than ${maxSubschemas} subschemas`);
    }
    const node: SchemaNode = {
      pointer,
      never,
      assertions: new Map(),
      one: new Map(),
      lists: new Map(),
      maps: new Map(),
      fallback,
      containsEvaluates,
      target: false,
    };
    this.nodes.push(node);
    return node;
  }

  private fill(node: SchemaNode, schema: PlainObject, at: Location, scope: DynamicScope): void {
    const { dialect } = at.resource;
    this.applied.push({ schema, pointer: at.pointer });
    if (typeof schema.$ref === "string") {
      node.one.set("$ref", this.follow(schema.$ref, at, "$ref", scope));
      if (dialect.refAlone) return;
    }
    for (const keyword of dialect.assertions) {
      const value = schema[keyword];
      if (value !== undefined) node.assertions.set(keyword, value);
    }
    adaptAssertions(node.assertions, schema);
    for (const keyword of dialect.applicators.keys()) {
      const value = schema[keyword];
      if (value !== undefined) this.apply(node, keyword, value, schema, at, scope);
    }
    this.followDynamically(node, schema, at, scope);
  }

  private apply(
    node: SchemaNode,
    keyword: string,
    value: Plain,
    schema: PlainObject,
    at: Location,
    scope: DynamicScope,
  ): void {
    const pointer = `${at.pointer}/${keyword}`;
    const child = (item: Plain, place: string) =>
      this.node(this.resources.locate(item, place, at), scope);
    const list = (items: readonly Plain[]) =>
      items.map((item, index) => child(item, `${pointer}/${index}`));
    const map = (entries: readonly (readonly [string, Plain])[]) =>
      new Map(entries.map(([key, item]) => [key, child(item, `${pointer}/${escapeSegment(key)}`)]));
    switch (keyword) {
      case "allOf":
      case "anyOf":
      case "oneOf":
      case "prefixItems":
        node.lists.set(keyword, list(value as readonly Plain[]));
        break;
      case "items":
        if (Array.isArray(value)) node.lists.set("prefixItems", list(value));
        else node.one.set("items", child(value, pointer));
        break;
      case "additionalItems":
        if (Array.isArray(schema.items)) node.one.set("items", child(value, pointer));
        break;
      case "then":
      case "else":
        if (schema.if !== undefined) node.one.set(keyword, child(value, pointer));
        break;
      case "properties":
      case "patternProperties":
      case "dependentSchemas":
        node.maps.set(keyword, map(Object.entries(value as PlainObject) as [string, Plain][]));
        break;
      case "dependencies":
        this.splitDependencies(node, value as PlainObject, map, pointer);
        break;
      default:
        node.one.set(keyword, child(value, pointer));
    }
  }

  private splitDependencies(
    node: SchemaNode,
    dependencies: PlainObject,
    map: (entries: readonly (readonly [string, Plain])[]) => Map<string, SchemaNode>,
    pointer: string,
  ): void {
    if (node.assertions.has("dependentRequired") || node.maps.has("dependentSchemas")) {
      throw new Inadmissible(pointer, "it stands beside its successors, which say it again");
    }
    const entries = Object.entries(dependencies) as [string, Plain][];
    const lists = entries.filter(([, value]) => Array.isArray(value));
    const schemas = entries.filter(([, value]) => !Array.isArray(value));
    if (lists.length > 0) {
      node.assertions.set("dependentRequired", ownRecord(lists));
    }
    if (schemas.length > 0) node.maps.set("dependentSchemas", map(schemas));
  }

  private followDynamically(
    node: SchemaNode,
    schema: PlainObject,
    at: Location,
    scope: DynamicScope,
  ): void {
    const { draft } = at.resource.dialect;
    const keyword = draft === "2019-09" ? "$recursiveRef" : "$dynamicRef";
    const reference = schema[keyword];
    if (at.resource.dialect.refAlone || typeof reference !== "string") return;
    const fixed = this.resources.resolve(reference, at, keyword);
    const name =
      draft === "2019-09" ? "" : decodeURIComponent(reference.slice(reference.indexOf("#") + 1));
    const anchored = fixed.resource.dynamicAnchors.get(name)?.schema === fixed.schema;
    const target = this.mark((anchored && scope.get(name)) || fixed, scope);
    if (!node.one.has("$ref")) {
      node.one.set("$ref", target);
      return;
    }
    const second = this.add(`${at.pointer}/${keyword}`);
    second.one.set("$ref", target);
    node.lists.set("allOf", [...(node.lists.get("allOf") ?? []), second]);
  }

  private follow(
    reference: string,
    at: Location,
    keyword: string,
    scope: DynamicScope,
  ): SchemaNode {
    return this.mark(this.resources.resolve(reference, at, keyword), scope);
  }

  private mark(location: Location, scope: DynamicScope): SchemaNode {
    if (!this.resources.covers(location) && !this.strays.has(location.schema)) {
      this.strays.add(location.schema);
      this.stray(location);
    }
    const node = this.node(location, scope);
    node.target = true;
    return node;
  }

  private enter(resource: Resource, scope: DynamicScope): DynamicScope {
    let inner: Map<string, Location> | undefined;
    for (const [name, location] of resource.dynamicAnchors) {
      if (scope.has(name)) continue;
      inner ??= new Map(scope);
      inner.set(name, location);
    }
    return inner ?? scope;
  }

  private scopeKey(scope: DynamicScope): string {
    if (scope.size === 0) return "";
    const parts: string[] = [];
    for (const [name, location] of scope) {
      let id = this.scopeIds.get(location);
      if (id === undefined) {
        id = this.scopeIds.size;
        this.scopeIds.set(location, id);
      }
      parts.push(`${JSON.stringify(name)}:${id}`);
    }
    return parts.sort().join();
  }
}

function ownRecord(entries: readonly (readonly [string, Plain])[]): PlainObject {
  const record = Object.create(null) as Record<string, Plain>;
  for (const [key, value] of entries) record[key] = value;
  return record;
}
