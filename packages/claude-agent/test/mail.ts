import { allow, deny, type GuardrailProvider, modify, type ToolCall } from "@toolstile/core";

/** Tools that note what they were run with: one of an MCP server, and two of the SDK's own kind. */
export function toolbox() {
  const ran: unknown[] = [];
  const noted = (answer: (input: never) => unknown) => (input: never) => {
    ran.push(input);
    return answer(input);
  };
  const tools = {
    mcp__mail__send: noted(({ to }: { to: string }) => [{ type: "text", text: `sent to ${to}` }]),
    Bash: noted(({ command }: { command: string }) => ({ stdout: command, stderr: "", code: 0 })),
    fail: noted(() => {
      throw new Error("no such mailbox");
    }),
  };
  return { ran, tools };
}

/** Mail goes to Ann, whoever it is for; to thieves it does not go at all. */
export const annOnly: GuardrailProvider = {
  name: "ann-only",
  evaluate: ({ args }) => {
    if (args.to === "thief") return deny("not our customer", { code: "stranger" });
    return args.to === "bob" ? modify({ ...args, to: "ann" }) : allow();
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

/** A guard that allows every call, and judges results so. */
export const judging = (
  evaluateResult: GuardrailProvider["evaluateResult"],
): GuardrailProvider => ({ name: "judge", evaluate: () => allow(), evaluateResult });
