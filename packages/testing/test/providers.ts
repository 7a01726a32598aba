import { allow, deny, type GuardrailProvider, modify, type ToolCall } from "@toolstile/core";
import { call, type ProviderCases } from "../src/index.js";

export const to = "someone@example.org";
export const cases: ProviderCases = {
  allowed: [call({ query: "oolong" }), call({ query: "sencha", page: 2 })],
  denied: call({ to, query: "x" }, "send_mail"),
  modified: call({ query: "  darjeeling " }),
};

/** Searches may run, trimmed; nothing else may. */
export function judge({ toolName, args }: ToolCall) {
  if (toolName !== "search") return deny("only searches may run", { code: "not_search" });
  const query = String(args.query);
  return query === query.trim() ? allow() : modify({ ...args, query: query.trim() });
}
export const good = (): GuardrailProvider => ({ name: "good", evaluate: judge });

export class Guarded {
  readonly name = "class";
  readonly #allowed = "search";
  evaluate = (asked: ToolCall) => (this.#allowed === "search" ? judge(asked) : deny("never"));
  remaining() {
    return 3;
  }
}

/** Answers what should be denied in another way. */
export function denying(answer: unknown): object {
  return {
    ...good(),
    evaluate: (asked: ToolCall) => (asked.toolName === "search" ? judge(asked) : answer),
  };
}

export function forgetful(): object {
  const seen = new Set<object>();
  return {
    ...good(),
    evaluate(asked: ToolCall) {
      if (seen.has(asked)) return deny("asked before");
      seen.add(asked);
      return judge(asked);
    },
  };
}
