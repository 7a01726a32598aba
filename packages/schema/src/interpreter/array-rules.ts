import type { SchemaNode } from "../graph/schema-node.js";
import { Failure } from "../violations/failure.js";
import { allUnique } from "./exact-key.js";
import { assertion, type MakeRule, type RuleTable } from "./rules.js";
import { sizeRules } from "./scalar-rules.js";
import { evaluationSetting, unevaluatedItemsHold } from "./unevaluated.js";

type Items = readonly unknown[];

const prefixItems: MakeRule = ({ lists }, { checkOf }) => {
  const checks = (lists.get("prefixItems") ?? []).map(checkOf);
  return (items: Items) => {
    const length = Math.min(items.length, checks.length);
    for (let i = 0; i < length; i++) {
      const failure = checks[i]?.check(items[i]);
      if (failure !== undefined) return failure.under(String(i));
    }
    return undefined;
  };
};

const items: MakeRule = ({ one, lists }, { checkOf }) => {
  const inner = checkOf(one.get("items") as SchemaNode);
  if (inner.isOpen) return undefined;
  const prefix = lists.get("prefixItems")?.length;
  if (prefix !== undefined && inner.isPlainFalse) {
    return (items: Items) =>
      items.length > prefix ? new Failure("items", { limit: prefix }) : undefined;
  }
  return (items: Items) => {
    for (let i = prefix ?? 0; i < items.length; i++) {
      const failure = inner.check(items[i]);
      if (failure !== undefined) return failure.under(String(i));
    }
    return undefined;
  };
};

const contains: MakeRule = ({ one, assertions }, { checkOf }) => {
  const inner = checkOf(one.get("contains") as SchemaNode);
  const least = (assertions.get("minContains") ?? 1) as number;
  const most = assertions.get("maxContains") as number | undefined;
  if (least === 0 && most === undefined) return undefined;
  const enough = most === undefined ? least : most + 1;
  const params = { minContains: least, maxContains: most };
  return (items: Items) => {
    let found = 0;
    for (let i = 0; i < items.length && found < enough; i++) {
      if (inner.check(items[i]) === undefined) found++;
    }
    const holds = found >= least && (most === undefined || found <= most);
    return holds ? undefined : new Failure("contains", params);
  };
};

const uniqueItems: MakeRule = (node, { meter }) => {
  if (assertion(node, "uniqueItems") !== true) return undefined;
  return (items: Items) =>
    items.length < 2 || allUnique(items, meter) ? undefined : new Failure("uniqueItems");
};

const unevaluatedItems: MakeRule = (node, setting) => {
  const evaluation = evaluationSetting(setting);
  return (items: Items) =>
    unevaluatedItemsHold(node, items, evaluation) ? undefined : new Failure("unevaluatedItems");
};

export const arrayRules: RuleTable = new Map([
  ...sizeRules.array,
  ["prefixItems", prefixItems],
  ["items", items],
  ["contains", contains],
  ["uniqueItems", uniqueItems],
  ["unevaluatedItems", unevaluatedItems],
]);
