import { nameTaken } from "../guard/guard-names.js";
import type { Policy } from "../guard/policy.js";
import type { ToolDefinition } from "../protocol/guardrail.js";
import type { Catalogue } from "./catalogue.js";
import { type RefusedTool, refusals } from "./refused-tool.js";

/** The answers of a policy's guards to the tools of a catalogue. They are told of each tool once. */
export class Admission {
  readonly policy: Policy;
  readonly refused: readonly RefusedTool[];
  /** The tools that need a guard to check their arguments, and that none of these does. */
  readonly unchecked: ReadonlySet<string>;

  private constructor(policy: Policy, catalogue: Catalogue) {
    const refused = clashing(policy, catalogue);
    if (policy.guards.some(({ facts }) => facts.register !== undefined)) {
      for (const [name, { definition }] of catalogue.tools) {
        for (const each of refusals(policy.covering(name), name, definition)) refused.push(each);
      }
    }
    this.policy = policy;
    this.refused = refused;
    this.unchecked = uncheckedBy(policy, catalogue);
  }

  /** Runners with the same guards and the same tools share one admission. */
  static of(policy: Policy, catalogue: Catalogue): Admission {
    const ofPolicy = admissions.get(policy) ?? new WeakMap<Catalogue, Admission>();
    admissions.set(policy, ofPolicy);
    const admission = ofPolicy.get(catalogue) ?? new Admission(policy, catalogue);
    ofPolicy.set(catalogue, admission);
    return admission;
  }
}

const admissions = new WeakMap<Policy, WeakMap<Catalogue, Admission>>();

/** Refuses tools that have a guard of their own with the name of one of these guards. */
function clashing({ names }: Policy, { guarded }: Catalogue): RefusedTool[] {
  return [...names].flatMap((guard) =>
    (guarded.get(guard) ?? []).map((tool) => {
      return { name: tool, refusedBy: "core", cause: nameTaken(guard, tool) };
    }),
  );
}

function uncheckedBy(policy: Policy, { tools, needCheck }: Catalogue): ReadonlySet<string> {
  if (!policy.guards.some(({ facts }) => facts.checksArguments !== undefined)) return needCheck;
  const unchecked = [...needCheck].filter((name) => {
    const definition = tools.get(name)?.definition as ToolDefinition;
    return !policy.covering(name).some((guard) => guard.checksArguments(definition));
  });
  return new Set(unchecked);
}
