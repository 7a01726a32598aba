import { createTool } from "@mastra/core/tools";
import { allow, deny, type GuardrailProvider, modify, type ToolCall } from "@toolstile/core";
import { z } from "zod";

/** A tool that sends mail, and notes what it was given. */
export function mailer() {
  const sent: unknown[] = [];
  const send = createTool({
    id: "mail",
    description: "Send a mail.",
    inputSchema: z.object({ to: z.string() }),
    outputSchema: z.object({ sent: z.string() }),
    toModelOutput: ({ sent: to }) => ({ type: "text", value: `sent to ${to.toLowerCase()}` }),
    execute: async (input) => {
      sent.push(input);
      return { sent: input.to };
    },
  });
  return { send, sent };
}

/** Mail goes to Ann, whoever it is for; to thieves it does not go at all. */
export const annOnly: GuardrailProvider = {
  name: "ann-only",
  evaluate: ({ args }) => {
    if (args.to === "thief") return deny("not our customer", { code: "stranger" });
    return args.to === "ann" ? allow() : modify({ ...args, to: "ann" });
  },
};

/** A guard that notes what it was asked. */
export function noting() {
  const asked: ToolCall[] = [];
  const guard: GuardrailProvider = {
    name: "noting",
    evaluate: (call) => {
      asked.push(call);
      return allow();
    },
  };
  return { guard, asked };
}
