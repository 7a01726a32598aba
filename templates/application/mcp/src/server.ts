// An MCP server as somebody else might have written it. Put yours in its place, in agent.ts.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import * as shop from "./shop.js";

const server = new McpServer({ name: "shop", version: "1.0.0" });
const said = (text: string) => ({ content: [{ type: "text" as const, text }] });
const order = z.string();
server.registerTool(
  "track_order",
  { description: "Say where an order is.", inputSchema: z.object({ order }) },
  (of) => said(shop.trackOrder(of)),
);
server.registerTool(
  "refund",
  { description: "Pay money back.", inputSchema: z.object({ order, cents: z.int() }) },
  (of) => said(shop.refund(of)),
);
server.registerTool(
  "delete_order",
  { description: "Delete an order.", inputSchema: z.object({ order }) },
  (of) => said(shop.deleteOrder(of)),
);
await server.connect(new StdioServerTransport());
