import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { ToolPages } from "../src/connection/tool-pages.js";
import { McpWorkbench } from "../src/index.js";

const tool = (name: string, description = "") => ({
  name,
  description,
  inputSchema: { type: "object" as const },
});

describe("the pages of a list of tools", () => {
  it("are put together in order, up to the one after which none comes", () => {
    const pages = new ToolPages();
    expect(pages.add(["a", "b"], "2")).toBe("2");
    expect(pages.add([], "3")).toBe("3");
    expect(pages.add(["c"], null)).toBeUndefined();
    expect(pages.tools).toEqual(["a", "b", "c"]);
  });

  it("P17 are refused beyond 10,000 tools, also where one page has more than a call can spread", () => {
    const pages = new ToolPages();
    pages.add(Array.from({ length: 10_000 }), "2");
    expect(() => pages.add(["one more"], undefined)).toThrow(RangeError);
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
