import { mailSchema } from "../mail.mjs";
import {
  denied,
  fits,
  fitsByHand,
  followsTheRule,
  isAllowed,
  isResult,
  isWithinLimit,
} from "./checks.mjs";

/** A turn is played call by call. */
const inTurn = (one) => async (calls) => {
  const read = [];
  for (const call of calls) read.push(await one(call));
  return read;
};

const byHand = (checks, execute) =>
  inTurn(async (call) => {
    for (const check of checks) {
      const reason = check(call);
      if (reason !== undefined) return denied(reason);
    }
    const result = await execute(call.args);
    const reason = isResult(result);
    return reason === undefined ? result : denied(reason);
  });

async function ajv() {
  const { Ajv } = await import("ajv");
  return fits(new Ajv().compile(mailSchema));
}

/** Each is made with { execute, limit }. It plays turns, as the agents do. */
export const withoutFramework = {
  bare: ({ execute }) => inTurn(({ args }) => execute(args)),

  "by hand": ({ execute, limit }) =>
    byHand([isAllowed, fitsByHand, isWithinLimit({ limit }), followsTheRule], execute),

  ajv: async ({ execute, limit }) =>
    byHand([isAllowed, await ajv(), isWithinLimit({ limit }), followsTheRule], execute),

  async "rate-limiter-flexible"({ execute, limit }) {
    const { RateLimiterMemory } = await import("rate-limiter-flexible");
    const limiter = new RateLimiterMemory({ points: limit, duration: 60 });
    const rest = byHand([isAllowed, await ajv(), followsTheRule], execute);
    return inTurn(async (call) => {
      try {
        await limiter.consume("mail");
      } catch (refusal) {
        if (refusal instanceof Error) throw refusal;
        return denied("too many calls");
      }
      return (await rest([call]))[0];
    });
  },

  /** Its policy decides on the tool and by a rule; it keeps its own audit log and a score of trust. */
  async "@microsoft/agent-governance-sdk"({ execute, limit }) {
    const { AgentMeshClient } = await import("@microsoft/agent-governance-sdk");
    const client = AgentMeshClient.create("mail-agent", {
      policyRules: [
        { action: "send_mail", effect: "deny", conditions: { priority: "never" } },
        { action: "send_mail", effect: "allow" },
        { action: "*", effect: "deny" },
      ],
    });
    const rest = byHand([await ajv(), isWithinLimit({ limit })], execute);
    return inTurn(async (call) => {
      const { decision } = await client.executeWithGovernance(call.name, call.args);
      return decision === "allow" ? (await rest([call]))[0] : denied(decision);
    });
  },
};
