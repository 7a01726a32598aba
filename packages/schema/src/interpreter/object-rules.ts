import { own } from "@toolstile/core/provider";
import type { SchemaNode } from "../graph/schema-node.js";
import type { Pattern } from "../patterns/pattern.js";
import { comparableNames } from "../violations/expectation.js";
import { Failure } from "../violations/failure.js";
import { assertion, type MakeRule, type RuleSetting, type RuleTable } from "./rules.js";
import { sizeRules } from "./scalar-rules.js";
import { evaluationSetting, unevaluatedPropertiesHold } from "./unevaluated.js";

type Own = Readonly<Record<string, unknown>>;

const required: MakeRule = (node) => {
  const names = assertion<readonly string[]>(node, "required");
  return (object: Own) => {
    for (const name of names) {
      if (own(object, name) === undefined)
        return new Failure("required", { missingProperty: name });
    }
    return undefined;
  };
};

const propertyNames: MakeRule = ({ one }, { checkOf, members }) => {
  const inner = checkOf(one.get("propertyNames") as SchemaNode);
  if (inner.isOpen) return undefined;
  return (object: Own) => {
    for (const name of members.of(object)) {
      const failure = inner.check(name);
      if (failure !== undefined) return new Failure("propertyNames", {}, failure);
    }
    return undefined;
  };
};

const properties: MakeRule = ({ maps }, { checkOf }) => {
  const checks = [...(maps.get("properties") ?? [])]
    .map(([name, member]) => [name, checkOf(member)] as const)
    .filter(([, inner]) => !inner.isOpen);
  return (object: Own) => {
    for (const [name, inner] of checks) {
      const value = own(object, name);
      const failure = value === undefined ? undefined : inner.check(value);
      if (failure !== undefined) return failure.under(name);
    }
    return undefined;
  };
};

const patternProperties: MakeRule = (node, setting) => {
  const checks = patternsOf(node, setting).map(
    ([source, pattern]) =>
      [
        pattern,
        setting.checkOf(node.maps.get("patternProperties")?.get(source) as SchemaNode),
      ] as const,
  );
  return (object: Own) => {
    const names = setting.members.of(object);
    for (const [pattern, inner] of checks) {
      if (inner.isOpen) continue;
      for (const name of names) {
        if (!pattern.test(name)) continue;
        const failure = inner.check(object[name]);
        if (failure !== undefined) return failure.under(name);
      }
    }
    return undefined;
  };
};

const stepsPerName = 14;

const dependentRequired: MakeRule = (node, { meter }) => {
  const entries = Object.entries(
    assertion<Record<string, readonly string[]>>(node, "dependentRequired"),
  );
  return (object: Own) => {
    for (const [name, needed] of entries) {
      if (own(object, name) === undefined) continue;
      meter.take(stepsPerName * needed.length);
      for (const missing of needed) {
        if (own(object, missing) !== undefined) continue;
        return new Failure("dependentRequired", { missingProperty: missing });
      }
    }
    return undefined;
  };
};

const dependentSchemas: MakeRule = ({ maps }, { checkOf }) => {
  const checks = [...(maps.get("dependentSchemas") ?? [])].map(
    ([name, inner]) => [name, checkOf(inner)] as const,
  );
  return (object: Own) => {
    for (const [name, inner] of checks) {
      const failure = own(object, name) === undefined ? undefined : inner.check(object);
      if (failure !== undefined) return failure;
    }
    return undefined;
  };
};

const unevaluatedProperties: MakeRule = (node, setting) => {
  const evaluation = evaluationSetting(setting);
  return (object: Own) =>
    unevaluatedPropertiesHold(node, object, evaluation)
      ? undefined
      : new Failure("unevaluatedProperties");
};

const additionalProperties: MakeRule = (node, setting) => {
  const inner = setting.checkOf(node.one.get("additionalProperties") as SchemaNode);
  if (inner.isOpen) return undefined;
  const names = new Set(node.maps.get("properties")?.keys());
  const patterns = patternsOf(node, setting).map(([, pattern]) => pattern);
  const declared = comparableNames([...names]);
  return (object: Own) => {
    for (const name of setting.members.of(object)) {
      if (names.has(name) || patterns.some((pattern) => pattern.test(name))) continue;
      if (inner.isPlainFalse) {
        return new Failure("additionalProperties", { additionalProperty: name, declared });
      }
      const failure = inner.check(object[name]);
      if (failure !== undefined) return failure.under(name);
    }
    return undefined;
  };
};

function patternsOf({ maps }: SchemaNode, { patterns }: RuleSetting): [string, Pattern][] {
  return [...(maps.get("patternProperties")?.keys() ?? [])].map((source) => [
    source,
    patterns.get(source) as Pattern,
  ]);
}

export const objectRules: RuleTable = new Map([
  ...sizeRules.object,
  ["required", required],
  ["propertyNames", propertyNames],
  ["properties", properties],
  ["patternProperties", patternProperties],
  ["dependentRequired", dependentRequired],
  ["dependentSchemas", dependentSchemas],
  ["unevaluatedProperties", unevaluatedProperties],
  ["additionalProperties", additionalProperties],
]);
