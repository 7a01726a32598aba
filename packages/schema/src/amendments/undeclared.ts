import { didYouMean } from "@toolstile/core/provider";
import type { Compiled } from "../admission/compile.js";
import type { Meter } from "../cost/meter.js";
import type { SchemaNode } from "../graph/schema-node.js";
import { maskedPointer, type Violation, violation } from "../violations/violation.js";
import { itemSchemas, memberSchemas, sameValueSchemas } from "./reachable.js";

const opening = ["additionalProperties", "unevaluatedProperties"];

/** The cost of a value and of a declared name in steps of the meter, measured. */
const stepsPerSchema = 16;
const stepsPerName = 16;

/**
 * The first property that no schema of its object declares, where one of them
 * lists `properties` and none says what else there may be.
 *
 * The properties of all alternatives count as declared. The hint names a
 * declared property; the undeclared one is never quoted.
 */
export function findUndeclared(compiled: Compiled, value: unknown): Violation | undefined {
  const keys: string[] = [];
  return find(sameValueSchemas(compiled.root, "possible"), value);

  function find(schemas: readonly SchemaNode[], current: unknown): Violation | undefined {
    compiled.meter.take(stepsPerSchema * (1 + schemas.length));
    if (typeof current !== "object" || current === null) return undefined;
    const isList = Array.isArray(current);
    const declared = isList ? undefined : declaredNames(schemas, compiled.meter);
    for (const key of Object.keys(current)) {
      if (declared !== undefined && !declared.has(key)) {
        const pointer = `${maskedPointer(keys, value, compiled.declared)}/*`;
        const absent = [...declared].filter((name) => !Object.hasOwn(current, name));
        const hint = didYouMean(key, absent);
        return violation("undeclared property", pointer, hint === "" ? "" : `.${hint}`);
      }
      const below = isList
        ? itemSchemas(schemas, Number(key), "possible")
        : memberSchemas(schemas, key, "possible");
      if (below.length === 0) continue;
      keys.push(key);
      const found = find(below, (current as Record<string, unknown>)[key]);
      if (found !== undefined) return found;
      keys.pop();
    }
    return undefined;
  }
}

/** Nothing, where other properties are provided for. */
function declaredNames(
  schemas: readonly SchemaNode[],
  meter: Meter,
): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  let fixed = false;
  for (const { one, maps } of schemas) {
    if (maps.has("patternProperties") || opening.some((keyword) => one.has(keyword))) {
      return undefined;
    }
    const properties = maps.get("properties");
    if (properties === undefined) continue;
    fixed = true;
    meter.take(stepsPerName * properties.size);
    for (const name of properties.keys()) names.add(name);
  }
  return fixed ? names : undefined;
}
