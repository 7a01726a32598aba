import { Inadmissible } from "../document/inadmissible.js";
import type { SchemaNode } from "../graph/schema-node.js";
import { memberChecks, ownChecks, perMember } from "./weights.js";

/** Levels of a value that matter: core's default cap on the depth of arguments. */
const deepest = 64;
/** Checks of one value beyond which a schema is refused. */
const maxChecks = 30_000;
/** Checks of one value up to which a schema runs unmetered: the caps on arguments bound it. */
const uncounted = 64;
/** The steps that the analysis itself may take: some 50 milliseconds. */
const maxOperations = 500_000;
/** The steps of looking at one schema that is applied to the same value as another. */
const stepsInPlace = 4;
const saturated = 1e12;
/** Keywords whose schemas see the same value. */
const inPlaceOne = ["$ref", "not", "if", "then", "else"];
const inPlaceLists = ["allOf", "anyOf", "oneOf"];
const perItem = ["items", "unevaluatedItems", "contains"];

/** Children that meet at one place below a value: how often each is applied there. */
type Group = Map<SchemaNode, number>;

/**
 * Bounds how often one value is checked, before anything runs.
 *
 * For each schema and each level d, the most elementary checks that one place
 * d levels down can get; schemas applied to the same value add up, those
 * under different names do not. A reference that comes back to itself without
 * going down is refused, and so is a product of branches beyond the limit.
 * Recursion can multiply with the depth of the value; that is left to the
 * meter.
 *
 * @returns whether the checks must be metered.
 * @throws Inadmissible naming where the product arises.
 */
export function admitCost(nodes: readonly SchemaNode[]): boolean {
  return new CostAnalysis(nodes).admit();
}

class CostAnalysis {
  private readonly nodes: readonly SchemaNode[];
  private readonly groups = new Map<SchemaNode, readonly Group[]>();
  private readonly members = new Map<SchemaNode, number>();
  private readonly inner = new Map<SchemaNode, readonly SchemaNode[]>();
  private readonly order: SchemaNode[] = [];
  /** The place of each schema in that order. */
  private readonly places = new Map<SchemaNode, number>();
  private operations = 0;

  constructor(nodes: readonly SchemaNode[]) {
    this.nodes = nodes;
  }

  admit(): boolean {
    this.sortInPlace();
    let level = new Map<SchemaNode, number>();
    for (const node of this.order) {
      let checks = ownChecks(node);
      for (const inner of this.inPlace(node)) checks += level.get(inner) as number;
      checks = Math.min(checks, saturated);
      if (checks > maxChecks) throw tooMany(node);
      level.set(node, checks);
    }
    const recursive = visitInnerFirst(this.nodes, allChildren, () => {}) !== undefined;
    const root = this.nodes[0] as SchemaNode;
    let most = level.get(root) as number;
    for (let depth = 1; depth <= deepest; depth++) {
      const deeper = new Map<SchemaNode, number>();
      let any = false;
      for (const node of this.nodes) {
        let checks = this.worstChild(node, level);
        if (depth === 1) checks += this.members.get(node) as number;
        if (checks > 0) any = true;
        if (!recursive && checks > maxChecks) throw tooMany(node);
        deeper.set(node, checks);
      }
      if (!any) break;
      level = deeper;
      most = Math.max(most, level.get(root) as number);
    }
    return most > uncounted;
  }

  private worstChild(node: SchemaNode, level: ReadonlyMap<SchemaNode, number>): number {
    let worst = 0;
    for (const group of this.groupsOf(node)) {
      this.spend(group.size);
      let checks = 0;
      for (const [child, times] of group) checks += times * (level.get(child) as number);
      worst = Math.max(worst, checks);
    }
    return Math.min(worst, saturated);
  }

  /** The schemas applied to each child of a value, counting all that are applied to the value itself. */
  private groupsOf(node: SchemaNode): readonly Group[] {
    let groups = this.groups.get(node);
    if (groups === undefined) {
      const members = new Map<string, Group>();
      const items = new Map<string, Group>();
      const everyMember: Group = new Map();
      const everyItem: Group = new Map();
      let atEachMember = 0;
      for (const [inner, times] of this.closure(node)) {
        if (inner.one.size + inner.lists.size + inner.maps.size === 0) continue;
        atEachMember += times * memberChecks(inner);
        for (const [name, child] of inner.maps.get("properties") ?? []) {
          this.addTo(groupAt(members, name), child, times);
        }
        for (const child of inner.maps.get("patternProperties")?.values() ?? []) {
          this.addTo(everyMember, child, times);
        }
        (inner.lists.get("prefixItems") ?? []).forEach((child, index) => {
          this.addTo(groupAt(items, String(index)), child, times);
        });
        for (const keyword of perMember) this.addTo(everyMember, inner.one.get(keyword), times);
        const again = asksAgain(inner) ? 2 : 1;
        for (const keyword of perItem) this.addTo(everyItem, inner.one.get(keyword), again * times);
      }
      for (const [everywhere, named] of [
        [everyMember, members],
        [everyItem, items],
      ] as const) {
        for (const group of named.values()) {
          for (const [child, times] of everywhere) this.addTo(group, child, times);
        }
      }
      groups = [...members.values(), ...items.values(), everyMember, everyItem];
      this.groups.set(node, groups);
      this.members.set(node, atEachMember);
    }
    return groups;
  }

  private inPlace(node: SchemaNode): readonly SchemaNode[] {
    const known = this.inner.get(node) ?? inPlace(node);
    this.inner.set(node, known);
    return known;
  }

  /** All schemas applied to the same value, and how often. */
  private closure(node: SchemaNode): Group {
    const reached = new Set([node]);
    for (const outer of reached) for (const inner of this.inPlace(outer)) reached.add(inner);
    this.spend(stepsInPlace * reached.size);
    const place = (schema: SchemaNode) => this.places.get(schema) as number;
    // From the outermost inwards: when a schema's turn comes, all that apply it have had theirs.
    const outermostFirst = [...reached].sort((a, b) => place(b) - place(a));
    const times: Group = new Map([[node, 1]]);
    for (const outer of outermostFirst) {
      const count = times.get(outer) as number;
      for (const inner of this.inPlace(outer)) this.addTo(times, inner, count);
    }
    return times;
  }

  /** Orders schemas so that each comes after all it applies in place. */
  private sortInPlace(): void {
    const circular = visitInnerFirst(
      this.nodes,
      (node) => this.inPlace(node),
      (node) => {
        this.places.set(node, this.order.push(node));
      },
    );
    if (circular === undefined) return;
    const reason = "it leads back to itself without going down into the value";
    throw new Inadmissible(circular.pointer, reason);
  }

  private addTo(group: Group, node: SchemaNode | undefined, times: number): void {
    if (node === undefined) return;
    this.spend(1);
    group.set(node, Math.min((group.get(node) ?? 0) + times, saturated));
  }

  private spend(operations: number): void {
    this.operations += operations;
    if (this.operations > maxOperations) {
      throw new Inadmissible("", "its subschemas are too entangled to bound what a check costs");
    }
  }
}

/** Visits each schema after all that it leads to; stops at one that leads back to itself, and returns what leads back. */
function visitInnerFirst(
  nodes: readonly SchemaNode[],
  innerOf: (node: SchemaNode) => readonly SchemaNode[],
  visit: (node: SchemaNode) => void,
): SchemaNode | undefined {
  const state = new Map<SchemaNode, "open" | "done">();
  const stack: [SchemaNode, Iterator<SchemaNode>][] = [];
  const open = (node: SchemaNode) => {
    state.set(node, "open");
    stack.push([node, innerOf(node).values()]);
  };
  for (const start of nodes) {
    if (!state.has(start)) open(start);
    // A stack of its own: a long chain must not use up the engine's.
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const [node, rest] = top;
      const next = rest.next();
      if (next.done) {
        state.set(node, "done");
        visit(node);
        stack.pop();
      } else if (!state.has(next.value)) open(next.value);
      else if (state.get(next.value) === "open") return node;
    }
  }
  return undefined;
}

function inPlace(node: SchemaNode): readonly SchemaNode[] {
  const schemas: SchemaNode[] = [];
  for (const keyword of inPlaceOne) {
    const inner = node.one.get(keyword);
    if (inner !== undefined) schemas.push(inner);
  }
  for (const keyword of inPlaceLists)
    for (const each of node.lists.get(keyword) ?? []) schemas.push(each);
  for (const each of node.maps.get("dependentSchemas")?.values() ?? []) schemas.push(each);
  // Branches are asked again for what they evaluate.
  return asksAgain(node) ? [...schemas, ...schemas] : schemas;
}

function asksAgain({ one }: SchemaNode): boolean {
  return one.has("unevaluatedProperties") || one.has("unevaluatedItems");
}

function allChildren(node: SchemaNode): readonly SchemaNode[] {
  return [
    ...node.one.values(),
    ...[...node.lists.values()].flat(),
    ...[...node.maps.values()].flatMap((map) => [...map.values()]),
  ];
}

function groupAt(groups: Map<string, Group>, key: string): Group {
  const group: Group = groups.get(key) ?? new Map();
  groups.set(key, group);
  return group;
}

function tooMany(node: SchemaNode): Inadmissible {
  return new Inadmissible(
    node.pointer,
    `its branches multiply: one value could be checked more than ${maxChecks} times`,
  );
}
