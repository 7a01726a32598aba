import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { McpWorkbench } from "../src/index.js";
import { ToolPages } from "../src/tools/tool-pages.js";

const tool = (name: string, description = "") => ({
  name,
  description,
  inputSchema: { type: "object" as const },
});

const definitions = ({ list }: ToolPages) => list.tools.map(({ definition }) => definition);

describe("the pages of a list of tools", () => {
  it("are put together in order, up to the one after which none comes", () => {
    const pages = new ToolPages();
    expect(pages.add([tool("a"), tool("b")], "2")).toBe("2");
    expect(pages.add([], "3")).toBe("3");
    expect(pages.add([tool("c")], null)).toBeUndefined();
    expect(definitions(pages)).toEqual([tool("a"), tool("b"), tool("c")]);
  });

  it.each<[string, readonly unknown[]]>([
    ["an empty cursor", ["2", ""]],
    ["the cursor that was just followed", ["2", "2"]],
    ["a cursor that was followed before", ["2", "3", "2"]],
  ])("end at %s", (_, cursors) => {
    const pages = new ToolPages();
    const followed = cursors.map((cursor) => pages.add([], cursor));
    expect(followed).toEqual([...cursors.slice(0, -1), undefined]);
  });

  it.each([[{}], [7], [["2"]], [true]])("are refused where a cursor is no text: %j", (cursor) => {
    expect(() => new ToolPages().add([], cursor)).toThrow("`nextCursor` must be a string");
  });

  it("have a tool once that two of them list word for word, and both of two that only share a name", () => {
    const pages = new ToolPages();
    pages.add([tool("a"), tool("b")], "2");
    pages.add([tool("b"), tool("a", "another")], "3");
    expect(definitions(pages)).toEqual([tool("a"), tool("b"), tool("a", "another")]);
  });

  it("P17 count their cursors, too, among what is held", () => {
    const pages = new ToolPages();
    const add = (page: number) => pages.add([], `${page}${"c".repeat(8 * 1_024 * 1_024)}`);
    for (const page of [1, 2, 3]) add(page);
    expect(() => add(4)).toThrow("is too long");
  });

  it("P17 are refused beyond 10,000 tools, also where one page has more than a call can spread", () => {
    const pages = new ToolPages();
    pages.add(Array.from({ length: 10_000 }), "2");
    expect(() => pages.add(["one more"], undefined)).toThrow("lists too many tools");
    expect(() => new ToolPages().add(Array.from({ length: 200_000 }), undefined)).toThrow(
      "The server lists too many tools.",
    );
  });
});

describe("a workbench over a server without bounds", () => {
  it.each([
    ["whose list has no end", tool("a"), 1_000, "has no end"],
    ["whose pages are long", tool("a", "x".repeat(12_000_000)), 3, "is too long"],
  ])("P17 lists no tools of one %s", async (_, listed, most, why) => {
    let asked = 0;
    const server = new Server(
      { name: "endless", version: "1.0.0" },
      { capabilities: { tools: {} } },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => {
      asked++;
      return { tools: [listed], nextCursor: String(asked) };
    });
    const client = new Client({ name: "c", version: "1.0.0" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    const bench = McpWorkbench.over(client);
    await expect(bench.listTools()).rejects.toMatchObject({
      code: "ERR_INVALID_TOOL",
      message: expect.stringContaining(why),
    });
    expect(asked).toBe(most);
    await bench.stop();
    await client.close();
  });
});
