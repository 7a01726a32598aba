import type { GuardrailProvider, ResultGuardrail } from "@toolstile/core";
import { allow, deny, modify } from "@toolstile/core/provider";

/** Send every mail to this address, whatever the model wrote. */
export function mailOnlyTo(address: string): GuardrailProvider {
  return {
    name: "mail-only-to-customer",
    evaluate: ({ args }) =>
      args.to === address
        ? allow()
        : modify({ ...args, to: address }, { reason: "mail goes to the customer's own address" }),
  };
}

/** Deny refunds above a limit: a person makes those. */
export function refundLimit(limit: number): GuardrailProvider {
  return {
    name: "refund-limit",
    evaluate: ({ args }) =>
      typeof args.amount === "number" && args.amount <= limit
        ? allow()
        : deny(`a refund above ${limit} EUR is for a person to make`, { code: "refund_limit" }),
  };
}

/** Keep results with a card number in them from the model. */
export function noCardNumbers(): ResultGuardrail {
  return {
    name: "no-card-numbers",
    evaluateResult: (_call, { content }) =>
      /\d(?:[ -]?\d){12,18}/.test(typeof content === "string" ? content : JSON.stringify(content))
        ? deny("the result holds a card number", { code: "card_number" })
        : allow(),
  };
}
