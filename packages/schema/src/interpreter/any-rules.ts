import type { SchemaNode } from "../graph/schema-node.js";
import { expectedAlternatives, expectedValues } from "../violations/expectation.js";
import { Failure } from "../violations/failure.js";
import { exactKey, unlimited } from "./exact-key.js";
import type { NodeCheck, Rule } from "./node-check.js";
import { assertion, type MakeRule, type RuleSetting, type RuleTable } from "./rules.js";

/** Primitives that are compared one by one faster than they are looked up. */
const longestChain = 16;

const reference: MakeRule = (node, { checkOf }) => {
  const target = checkOf(node.one.get("$ref") as SchemaNode);
  return target.isOpen ? undefined : (value) => target.check(value);
};

const not: MakeRule = (node, { checkOf }) => {
  const inner = checkOf(node.one.get("not") as SchemaNode);
  return (value) => (inner.check(value) === undefined ? new Failure("not") : undefined);
};

const allOf: MakeRule = (node, setting) => {
  const checks = listed(node, "allOf", setting).filter(({ isOpen }) => !isOpen);
  return (value) => {
    for (const inner of checks) {
      const failure = inner.check(value);
      if (failure !== undefined) return failure;
    }
    return undefined;
  };
};

const conditional: MakeRule = ({ one }, { checkOf }) => {
  const branch = (keyword: string) => {
    const node = one.get(keyword);
    return node && checkOf(node);
  };
  const [condition, consequence, otherwise] = ["if", "then", "else"].map(branch);
  if (consequence === undefined && otherwise === undefined) return undefined;
  return (value) => {
    const holds = (condition as NodeCheck).check(value) === undefined;
    return (holds ? consequence : otherwise)?.check(value);
  };
};

const constant: MakeRule = (node, setting) =>
  allowed("const", [node.assertions.get("const")], setting);

const enumeration: MakeRule = (node, setting) =>
  allowed("enum", assertion<readonly unknown[]>(node, "enum"), setting);

function allowed(keyword: string, values: readonly unknown[], { meter }: RuleSetting): Rule {
  const params = {
    get expected() {
      return expectedValues(values);
    },
  };
  const fail = () => new Failure(keyword, params);
  const simple = values.every((value) => typeof value !== "object" || value === null);
  if (simple && values.length <= longestChain) {
    return (value: unknown) => (values.includes(value) ? undefined : fail());
  }
  // Keys made once, by a meter that nothing else uses up.
  const keys = new Set(values.map((value) => exactKey(value, unlimited)));
  return (value: unknown) => {
    // A value without members is cheap to tell from allowed arrays and objects.
    if (simple && typeof value === "object" && value !== null) return fail();
    return keys.has(exactKey(value, meter)) ? undefined : fail();
  };
}

const anyOf: MakeRule = (node, setting) => {
  const checks = listed(node, "anyOf", setting);
  const params = {
    get expected() {
      return expectedAlternatives(alternatives(node, "anyOf"));
    },
  };
  return (value) => {
    for (const inner of checks) if (inner.check(value) === undefined) return undefined;
    return new Failure("anyOf", params);
  };
};

const oneOf: MakeRule = (node, setting) => {
  const checks = listed(node, "oneOf", setting);
  const none = {
    get expected() {
      return expectedAlternatives(alternatives(node, "oneOf"));
    },
  };
  const several = { passingSchemas: true };
  return (value) => {
    let passing = 0;
    for (const inner of checks) {
      if (inner.check(value) === undefined && ++passing > 1) break;
    }
    return passing === 1 ? undefined : new Failure("oneOf", passing === 0 ? none : several);
  };
};

function listed(node: SchemaNode, keyword: string, { checkOf }: RuleSetting): NodeCheck[] {
  return (node.lists.get(keyword) ?? []).map(checkOf);
}

/** The alternatives as far as words for them go: one that is referred to is not looked into. */
function alternatives(node: SchemaNode, keyword: string): readonly ReadonlyMap<string, unknown>[] {
  return (node.lists.get(keyword) ?? []).map(({ target, assertions, one, lists, maps }) =>
    target ? new Map() : new Map<string, unknown>([...assertions, ...one, ...lists, ...maps]),
  );
}

/** The rules for values of any kind. */
export const anyRules: RuleTable = new Map([
  ["$ref", reference],
  ["not", not],
  ["allOf", allOf],
  ["if", conditional],
  ["const", constant],
  ["enum", enumeration],
  ["anyOf", anyOf],
  ["oneOf", oneOf],
]);
