import { allow, chain } from "@toolstile/core";
import { mail } from "../mail.mjs";

const guards = Array.from({ length: 10 }, (_, index) => ({
  name: `guard_${index}`,
  evaluate: () => allow(),
}));

const call = Object.freeze({
  run: {},
  runId: "r",
  callId: "c",
  toolName: "send_mail",
  requestedName: "send_mail",
  context: {},
  args: mail,
  signal: new AbortController().signal,
});

export const rows = [
  {
    name: "ten synchronous guards in a chain, against awaiting each",
    goal: 0.2,
    reference: {
      unit: "of awaiting",
      run: async () => {
        for (const guard of guards) if ((await guard.evaluate(call)).decision !== "allow") return;
      },
    },
    async setup() {
      const { ToolRunner } = await import("@toolstile/core");
      // The call as a runner makes it, caught on its way: chains are asked with nothing else.
      let made;
      const runner = new ToolRunner({
        tools: [{ name: "send_mail", execute: () => "sent" }],
        guardrails: [
          {
            name: "catch",
            evaluate(given) {
              made = given;
              return allow();
            },
          },
        ],
      });
      await runner.run({ name: "send_mail", arguments: mail });
      const guarded = chain(guards);
      if (guarded.evaluate(made) !== allow()) throw new Error("The chain did not allow at once.");
      return () => guarded.evaluate(made);
    },
  },
];
