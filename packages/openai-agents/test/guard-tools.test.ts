import { tool } from "@openai/agents";
import { allow, allowAll, deny, type GuardrailProvider, modify } from "@toolstile/core";
import { recordingObserver } from "@toolstile/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { guardTool, guardTools } from "../src/index.js";
import { asking, read, run } from "./scripted-run.js";

const mail = z.object({ to: z.string(), text: z.string() });

/** A tool that sends mail and notes what it was given. */
function mailer(name = "send_mail") {
  const sent: unknown[] = [];
  const send = tool({
    name,
    description: "Send a mail.",
    parameters: mail,
    execute: (input, _context, details) => {
      sent.push([details?.toolCall?.callId, input, details?.toolCall?.arguments]);
      return `sent to ${input.to}`;
    },
  });
  return { send, sent };
}

const ownCustomer: GuardrailProvider = {
  name: "own-customer",
  evaluate: ({ args }) => {
    if (args.to === "thief@example.net") return deny("not our customer", { code: "stranger" });
    return args.to === "ann@example.com" ? allow() : modify({ ...args, to: "ann@example.com" });
  },
};

describe("a guarded function tool", () => {
  it("P6 P11 runs one of two parallel calls as rewritten, and not the one that is denied", async () => {
    const { send, sent } = mailer();
    const observer = recordingObserver();
    const model = asking([
      ["send_mail", { to: "bob@example.com", text: "hi" }, "c1"],
      ["send_mail", { to: "thief@example.net", text: "hi" }, "c2"],
    ]);
    const guarded = guardTool(send, {
      guardrails: [ownCustomer],
      observers: [observer],
      unchecked: true,
    });
    const result = await run([guarded], model);
    const used = { to: "ann@example.com", text: "hi" };
    expect(sent).toEqual([["c1", used, JSON.stringify(used)]]);
    expect(read(model)).toEqual({
      c1: "sent to ann@example.com",
      c2: "Tool call denied: not our customer",
    });
    expect(result.finalOutput).toBe("done");
    model.assertComplete();
  });
});


