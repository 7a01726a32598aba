import { allow, deny } from "@toolstile/core";
import { orders } from "./orders.mjs";

/** Customers get at their own orders, and get back what they paid, once. The host says who they are. */
export const plugin = {
  name: "own-orders",
  optionsSchema: { type: "object" },
  create() {
    /** What was paid back of each order, or is about to be. A shop asks its database. */
    const paidBack = new Map();
    const taken = new WeakMap();

    function evaluate({ args, context }) {
      const order = orders.get(args.order);
      // Whether another customer's order exists is nobody's business.
      if (order === undefined || order.customer !== context.principal)
        return deny("there is no such order of this customer", { code: "not_theirs" });
      if (args.cents === undefined) return allow();
      const left = order.cents - (paidBack.get(args.order) ?? 0);
      return args.cents > 0 && args.cents <= left
        ? allow()
        : deny("more than is left of what was paid", { code: "too_much" });
    }

    return {
      name: "own-orders",
      evaluate,
      // Between a question and its end, another call may have taken the money.
      admit(call) {
        const answer = evaluate(call);
        const { order, cents } = call.args;
        if (answer.decision === "allow" && cents !== undefined) {
          paidBack.set(order, (paidBack.get(order) ?? 0) + cents);
          taken.set(call.run, { order, cents });
        }
        return answer;
      },
      settle({ run }, { executed }) {
        const { order, cents } = taken.get(run) ?? {};
        if (order !== undefined && executed === false)
          paidBack.set(order, paidBack.get(order) - cents);
      },
    };
  },
};
