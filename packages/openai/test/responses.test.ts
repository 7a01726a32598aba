import { allowAll, ToolRunner, ToolstileError, tool } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { type ModelResponse, responseTools, toolOutputs } from "../src/index.js";
import { clients, scripted } from "./support/clients.js";
import { shop } from "./support/shop.js";

const body = (...output: object[]) => ({ id: "r1", object: "response", model: "scripted", output });
const words = (text: string) => ({
  type: "message",
  id: "m1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
});
const call = (call_id: string, name: string, text: string, more: object = {}) => ({
  type: "function_call",
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: text,
  ...more,
});
const search = call("c1", "search", '{"q":"tea"}', { status: "completed" });

describe.each(clients)("toolOutputs with $version", ({ Client }) => {
  it("answers every call of a response, in order, and the client sends the answers on", async () => {
    const { client, server } = await scripted(
      Client,
      body(
        { type: "reasoning", id: "rs", summary: [] },
        search,
        call("c2", "refund", '{"cents":900}'),
        { type: "custom_tool_call", id: "ct", call_id: "c3", name: "note", input: "plain" },
        call("c4", "search", '{"q":"cut"}', { status: "incomplete" }),
      ),
      body(words("Done.")),
    );
    await using _ = server;
    const { runner, ran } = shop();
    const input: Exclude<
      Parameters<typeof client.responses.create>[0]["input"],
      string | undefined
    > = [{ role: "user", content: "go" }];
    for (let said = ""; said === ""; ) {
      const response = await client.responses.create({
        model: "scripted",
        input,
        tools: responseTools(runner),
      });
      input.push(...(response.output as typeof input), ...(await toolOutputs(runner, response)));
      said = response.output_text;
    }
    const [first, second] = server.requests.map(({ body }) => body as Record<string, unknown>);
    expect(first?.["tools"]).toEqual(responseTools(runner));
    expect((second?.["input"] as unknown[] | undefined)?.slice(-4)).toEqual([
      { type: "function_call_output", call_id: "c1", output: "Found tea." },
      {
        type: "function_call_output",
        call_id: "c2",
        output: "Tool call denied: refunds are closed",
      },
      { type: "custom_tool_call_output", call_id: "c3", output: "Noted." },
      {
        type: "function_call_output",
        call_id: "c4",
        output: expect.stringContaining("arguments for tool 'search' cannot be read"),
      },
    ]);
    expect(ran).toEqual([
      ["search", { q: "tea" }],
      ["note", "plain"],
    ]);
  });
});

describe("toolOutputs", () => {
  it("answers nothing to words, refusals and what OpenAI ran itself", async () => {
    const refusal = { ...words(""), content: [{ type: "refusal", refusal: "I will not." }] };
    const items = [words("Hi."), refusal, { type: "web_search_call" }, { type: "mcp_call" }];
    const found = { type: "tool_search_call", execution: "server", call_id: null };
    expect(await toolOutputs(shop().runner, { output: [...items, found] })).toEqual([]);
  });

  it("asks for a tool of a namespace under both names, and answers the program that called", async () => {
    const ran: string[] = [];
    const named = (name: string) => tool({ name, execute: () => ran.push(name) && "ok" });
    const runner = new ToolRunner({
      tools: [named("find"), named("crm.find")],
      guardrails: [allowAll()],
    });
    const caller = { type: "program", caller_id: "p1" };
    const output = [
      call("c1", "find", "{}", { namespace: "crm", caller }),
      call("c2", "find", "{}", { namespace: null, caller: null }),
      call("c3", "find", "{}", { namespace: 7 }),
    ];
    expect(await toolOutputs(runner, { output })).toEqual([
      { type: "function_call_output", call_id: "c1", output: "ok", caller },
      { type: "function_call_output", call_id: "c2", output: "ok" },
      {
        type: "function_call_output",
        call_id: "c3",
        output: "Tool call denied: the call names no tool",
      },
    ]);
    expect(ran).toEqual(["crm.find", "find"]);
  });

  it.each([
    [
      "a call without an id",
      { output: [search, { ...search, call_id: "" }] },
      "ERR_INVALID_OPTION",
    ],
    ["no list of items", { output: search } as never, "ERR_INVALID_OPTION"],
    ["the list itself", [search] as never, "ERR_INVALID_OPTION"],
    ["nothing", undefined as never, "ERR_INVALID_OPTION"],
    ["an item without a type", { output: [search, {}] }, "ERR_UNSUPPORTED"],
    ...[
      "computer_call",
      "local_shell_call",
      "shell_call",
      "apply_patch_call",
      "mcp_approval_request",
      "tool_search_call",
      "a_call_of_next_year",
    ].map((type): [string, ModelResponse, string] => [
      `an item of type ${type}`,
      { output: [search, { type, call_id: "c2" }] },
      "ERR_UNSUPPORTED",
    ]),
  ])("runs nothing at all for %s", async (_, response, code) => {
    const { runner, ran } = shop();
    const error = await toolOutputs(runner, response as ModelResponse).catch(
      (error: unknown) => error,
    );
    expect(ToolstileError.isInstance(error) && error.code).toBe(code);
    expect(ran).toEqual([]);
  });

  it("names the type that it does not know, and the way out", async () => {
    const { runner } = shop();
    await expect(toolOutputs(runner, { output: [{ type: "shell_call" }] })).rejects.toThrow(
      "'shell_call', which no guard of this runner judges. Answer it yourself, and pass the other items: { output: response.output.filter(…) }.",
    );
  });
});

describe("responseTools", () => {
  it("declares every tool, without OpenAI's strict mode", () => {
    expect(responseTools(shop().runner)[0]).toEqual({
      type: "function",
      name: "search",
      description: "Finds things.",
      parameters: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
      strict: false,
    });
  });
});
