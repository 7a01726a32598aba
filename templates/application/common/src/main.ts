import { runAgent } from "./agent.js";
import { script } from "./script.js";

for (const { callId, text } of await runAgent("Refund all my orders, then delete them.")) {
  const call = script.find(({ id }) => id === callId);
  console.log(`${call?.name} ${JSON.stringify(call?.args)}\n  ${text}`);
}
