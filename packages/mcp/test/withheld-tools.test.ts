import { allow, allowAll } from "@toolstile/core";
import { schemaValidation } from "@toolstile/schema";
import { describe, expect, it } from "vitest";
import { DefinitionPins, memoryPins } from "../src/index.js";
import { answer, call, listed, request, Wire } from "./support/wire.js";

const wordsOf = (wire: Wire) =>
  wire.faults.map((fault) => {
    const { source, phase, error } = fault as { source: string; phase: string; error: Error };
    return `${source} ${phase}: ${error.message}`;
  });

async function list(wire: Wire, id: number, tools: readonly unknown[]) {
  return wire.exchange(request(id, "tools/list"), { tools });
}

describe("what operators are told of a tool that is withheld", () => {
  it("names the tool, the guard and its reason, once for as long as the list is the same", async () => {
    const wire = new Wire({ guardrails: [schemaValidation()], unchecked: false });
    const wrong = listed("count", {
      inputSchema: { type: "object", properties: { limit: { type: "int" } } },
    });
    for (const id of [1, 2]) await list(wire, id, [listed("read"), wrong]);
    expect(wordsOf(wire)).toEqual([
      expect.stringMatching(
        /^mcp register: The tool 'count' is withheld: '.*' refused it: .*\/properties\/limit\/type/,
      ),
    ]);
  });

  it("quotes no words of a guard's own error", async () => {
    const guard = {
      name: "g",
      register: () => {
        throw new Error("hunter2");
      },
      evaluate: () => allow(),
    };
    const wire = new Wire({ guardrails: [guard] });
    await list(wire, 1, [listed("send")]);
    expect(wordsOf(wire)).toEqual(["mcp register: The tool 'send' is withheld: 'g' refused it."]);
  });

  it("is one line for a name that is listed twice, and one for entries that are no tools", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    await list(wire, 1, [listed("send"), listed("send", { title: "x" }), null, { name: 7 }]);
    expect(wordsOf(wire)).toEqual([
      expect.stringContaining("2 of the 4 tools that the server lists are withheld"),
      expect.stringMatching(/The tool 'send' is withheld: .*Two tools are named 'send'/),
    ]);
  });

  it("is told of a definition that is not the pinned one, and not at each list", async () => {
    const pins = new DefinitionPins({ store: memoryPins() });
    const wire = new Wire({ guardrails: [allowAll()], pins, serverName: "s" });
    await list(wire, 1, [listed("send")]);
    for (const id of [2, 3]) await list(wire, id, [listed("send", { title: "x" })]);
    expect(wordsOf(wire)).toEqual([
      expect.stringMatching(/The tool 'send' is withheld: its definition has changed/),
    ]);
  });

  it("says why no tool at all can be used, and nothing in the server's words", async () => {
    const wire = new Wire({ guardrails: [allowAll()] });
    wire.pages = [{} as never];
    await wire.refused(call(1, "send"));
    wire.answersLists = false;
    wire.connection.fromServer({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    wire.connection.fromClient(call(2, "send"));
    const { id } = wire.privateLists.at(-1) ?? {};
    const error = { code: 1, message: "hunter2" };
    wire.connection.fromServer({ jsonrpc: "2.0", id: id as string, error });
    await wire.reached("client", 3);
    expect(wordsOf(wire)).toEqual([
      "mcp tools/list: The server's tools could not be listed. The server's `tools` must be a list.",
      "mcp tools/list: The server's tools could not be listed.",
    ]);
  });
});

describe("null in a tool's definition", () => {
  it.each(["description", "outputSchema", "annotations", "title"])(
    "is the same as no %s",
    async (member) => {
      const wire = new Wire({ guardrails: [schemaValidation()], unchecked: false });
      const tool = listed("send", { [member]: null });
      expect((await list(wire, 1, [tool])).result).toEqual({ tools: [tool] });
      const result = { content: [{ type: "text", text: "ok" }] };
      expect(await wire.exchange(call(2, "send", {}), result)).toEqual(answer(2, result));
      expect(wire.faults).toEqual([]);
    },
  );

  it("is no schema of arguments", async () => {
    const wire = new Wire({ guardrails: [schemaValidation()], unchecked: false });
    expect((await list(wire, 1, [listed("send", { inputSchema: null })])).result).toEqual({
      tools: [],
    });
  });
});
