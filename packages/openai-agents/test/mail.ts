import { tool } from "@openai/agents";
import { allow, deny, type GuardrailProvider, modify } from "@toolstile/core";
import { z } from "zod";

/** What a mail tool was run with: the call's id, its arguments, and what the call item says they are. */
export type Sent = readonly [callId: string | undefined, input: unknown, said: string | undefined];

/** A tool that sends mail, and notes what it was given. */
export function mailer(options: Partial<Parameters<typeof tool>[0]> = {}) {
  const sent: Sent[] = [];
  const send = tool({
    name: "send_mail",
    description: "Send a mail.",
    parameters: z.object({ to: z.string() }),
    ...(options as object),
    execute: ({ to }, _context, details) => {
      sent.push([details?.toolCall?.callId, { to }, details?.toolCall?.arguments]);
      return `sent to ${to}`;
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
  const asked: Parameters<GuardrailProvider["evaluate"]>[0][] = [];
  const guard: GuardrailProvider = {
    name: "noting",
    evaluate: (call) => {
      asked.push(call);
      return allow();
    },
  };
  return { guard, asked };
}
