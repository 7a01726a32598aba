import { allowlist } from "@toolstile/allowlist";
import { ToolRunner, tool } from "@toolstile/core";

const search = tool({ name: "search", execute: ({ q }) => `Found ${q}.` });
const refund = tool({ name: "refund", execute: () => "Refunded." });
const runner = new ToolRunner({ tools: [search, refund], guardrails: [allowlist(["search"])] });

const tea = { name: "search", arguments: '{"q":"tea"}' };
const money = { name: "refund", arguments: '{"cents":9900}' };
for (const { result } of await runner.runAll([tea, money])) console.log(result.content);
