import { composed, names } from "./chain.js";
import { ToolstileError } from "./errors.js";
import type { Link, Predicate } from "./link.js";
import type { GuardrailProvider } from "./protocol.js";
import { checkedTimeout, flatten, type Guardrail, givenName } from "./provider.js";
import { allow } from "./verdict.js";

/** Allow every call. Written out, it is how a runner without other guardrails is told to run tools. */
export function allowAll(options: { readonly name?: string } = {}): GuardrailProvider {
  const name = givenName("allowAll()", options) ?? "allow-all";
  return Object.freeze({ name, evaluate: () => allow() });
}

/**
 * Let a guardrail have a say about some tools only.
 *
 * For all others it is as if it were not there: a call that no other guardrail
 * judged is denied. A name that no tool has is an error when the runner is
 * built.
 */
export function forTools(tools: Iterable<string>, guardrail: Guardrail): GuardrailProvider {
  const named = new Set(typeof tools === "object" ? tools : undefined);
  if (named.size === 0 || [...named].some((name) => typeof name !== "string")) {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "forTools() takes a list of tool names that is not empty.",
    );
  }
  return transparent("forTools", guardrail, (link) =>
    link.with({
      only:
        link.facts.only === undefined ? named : new Set([...named].filter((n) => link.covers(n))),
      tools: [...link.facts.tools, ...named],
    }),
  );
}

/**
 * Let a guardrail have a say about some calls only.
 *
 * The condition is asked anew for the arguments of each question, and must
 * answer `true` or `false` at once; anything else, a promise too, denies. The
 * guardrail's `settle` is told of every call.
 */
export function when(condition: Predicate, guardrail: Guardrail): GuardrailProvider {
  if (typeof condition !== "function") {
    throw new ToolstileError("ERR_INVALID_OPTION", "when() takes a condition: call => boolean.");
  }
  return transparent("when", guardrail, (link) =>
    link.with({ when: [...link.facts.when, condition] }),
  );
}

/** Give a guardrail another deadline, in milliseconds, for each of its answers. `Infinity` is none. */
export function withTimeout(guardrail: Guardrail, timeoutMs: number): GuardrailProvider {
  const checked = checkedTimeout(timeoutMs, "The second argument of withTimeout()");
  return transparent("withTimeout", guardrail, (link) => link.within(checked));
}

/**
 * A guardrail that several runners have: none of them closes it.
 *
 * Whoever made it does, once no runner asks it any more.
 */
export function shared(guardrail: Guardrail): GuardrailProvider {
  return transparent("shared", guardrail, (link) => link.with({ close: undefined }));
}

function transparent(
  kind: string,
  guardrail: Guardrail,
  change: (link: Link) => Link,
): GuardrailProvider {
  const links = flatten([guardrail]).map(change);
  return composed(`${kind}(${names(links)})`, links);
}
