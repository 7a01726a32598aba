import {
  Agent,
  type FunctionTool,
  type MCPServer,
  type MCPServerWithResources,
  tool,
} from "@openai/agents";
import { allowAll } from "@toolstile/core";
import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import {
  type ContextOf,
  guardMcpServer,
  guardTool,
  guardTools,
  toToolInputGuardrail,
} from "../src/index.js";

interface Session {
  readonly user: string;
}

const parameters = z.object({ to: z.string() });
const send = tool<typeof parameters, Session>({
  name: "send",
  description: "Sends.",
  parameters,
  execute: ({ to }) => to,
});
const count = tool<typeof parameters, Session, number>({
  name: "count",
  description: "Counts.",
  parameters,
  execute: ({ to }) => to.length,
});
const options = { guardrails: [allowAll()], unchecked: true };

describe("the types of the framework", () => {
  it("are those of guarded tools, too", () => {
    expectTypeOf(guardTool(send, options)).toEqualTypeOf(send);
    const tools = guardTools([send, count], options);
    expectTypeOf(tools).toEqualTypeOf<[typeof send, typeof count]>();
    const list: FunctionTool<Session, typeof parameters, string>[] = [send];
    expectTypeOf(guardTools(list, options)).toEqualTypeOf(list);
    new Agent<Session>({ name: "support", tools });
  });

  it("say what context describe() is given", () => {
    guardTool(send, {
      ...options,
      describe: ({ context }) => {
        expectTypeOf(context).toEqualTypeOf<Session>();
        return { context: { principal: context.user } };
      },
    });
    expectTypeOf<ContextOf<typeof count>>().toEqualTypeOf<Session>();
  });

  it("take guardrails of a context, and servers with resources", () => {
    const inputGuardrails = [toToolInputGuardrail<Session>(allowAll())];
    const withGuardrails: typeof send = { ...send, inputGuardrails };
    expectTypeOf(withGuardrails.name).toBeString();
    const plain = null as unknown as MCPServer;
    const resourceful = null as unknown as MCPServerWithResources;
    const guard = () => [guardMcpServer(plain, options), guardMcpServer(resourceful, options)];
    expectTypeOf(guard).returns.items.toEqualTypeOf<MCPServer>();
    const guardResourceful = () => guardMcpServer(resourceful, options);
    expectTypeOf(guardResourceful).returns.toEqualTypeOf<MCPServerWithResources>();
  });
});
