import { allowlist } from "@toolstile/allowlist";
import { ToolRunner, tool } from "@toolstile/core";
import { z } from "zod";

const query = z.object({ q: z.string().trim().min(1) });
const search = tool({ name: "search", parameters: query, execute: ({ q }) => `Found ${q}.` });
const refund = tool({ name: "refund", execute: () => "Refunded." });

const runner = new ToolRunner({ tools: [search, refund], guardrails: [allowlist(["search"])] });
const asked = [
  { name: "search", arguments: '{"q":" tea "}' },
  { name: "search", arguments: '{"q":7}' },
  { name: "refund", arguments: '{"cents":9900}' },
];
for (const { result } of await runner.runAll(asked)) console.log(result.content);
