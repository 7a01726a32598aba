// The same tool on the official SDK's server, as published servers are made.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const address = z.string().min(3).max(254);
const attachment = z.strictObject({
  name: z.string().min(1),
  mime: z.string(),
  size: z.int().min(0),
});
const server = new McpServer({ name: "mail", version: "1.0.0" });
server.registerTool(
  "send_mail",
  {
    description: "Send mail.",
    inputSchema: z.strictObject({
      to: z.array(address),
      cc: z.array(address).optional(),
      subject: z.string(),
      body: z.string(),
      priority: z.enum(["low", "normal", "high"]).optional(),
      attachments: z.array(attachment).optional(),
      sendAt: z.string().optional(),
      trackOpens: z.boolean().optional(),
    }),
  },
  ({ body }) => ({
    content: [{ type: "text", text: `Sent ${body.length} characters.` }],
    isError: false,
  }),
);
await server.connect(new StdioServerTransport());
