import { tool } from "langchain";
import { z } from "zod";

/** Tools that note what they are run with. */
export function mailTools() {
  const ran: unknown[] = [];
  const send = tool(
    async (args) => {
      ran.push(["send", args]);
      return `Sent to ${args.to}.`;
    },
    {
      name: "send",
      description: "Send a mail.",
      schema: z.object({ to: z.string().trim(), urgent: z.boolean().default(false) }),
    },
  );
  const remove = tool(
    async (args) => {
      ran.push(["remove", args]);
      return "Removed.";
    },
    { name: "remove", description: "Remove.", schema: z.object({ path: z.string() }) },
  );
  return { ran, tools: [send, remove], send, remove };
}

/** A tool of this name that does this. */
export function toolOf(name: string, run: (args: never, config: never) => unknown, more = {}) {
  return tool(run as never, {
    name,
    description: name,
    schema: z.object({}).loose(),
    ...more,
  });
}
