import type { Link } from "./link.js";

/** The guards of a call, by what they are asked. */
export interface Policy {
  readonly call: readonly Link[];
  readonly admit: readonly Link[];
  readonly result: readonly Link[];
  readonly settle: readonly Link[];
}

export function policyOf(links: readonly Link[]): Policy {
  return Object.freeze({
    call: links.filter((link) => link.answers("call")),
    admit: links.filter((link) => link.answers("admit")),
    result: links.filter((link) => link.answers("result")),
    settle: links.filter(({ facts }) => facts.settle !== undefined),
  });
}
