import { tool } from "@anthropic-ai/claude-agent-sdk";
import type { JsonObject } from "@toolstile/core";
import { z } from "zod";
import * as shop from "./shop.js";

const order = z.string();
const said = (text: string) => ({ content: [{ type: "text" as const, text }] });

/** The tools of the MCP server "shop". */
export const tools = [
  tool("track_order", "Say where an order is.", { order }, async (of) => said(shop.trackOrder(of))),
  tool("refund", "Pay money back.", { order, cents: z.int() }, async (of) => said(shop.refund(of))),
  tool("delete_order", "Delete an order.", { order }, async (of) => said(shop.deleteOrder(of))),
];

/** The same tools as the guards know them: under the names that Claude calls. */
export const definitions = tools.map(({ name, description, inputSchema }) => ({
  name: `mcp__shop__${name}`,
  description,
  parameters: z.toJSONSchema(z.object(inputSchema)) as JsonObject,
}));
