import assert from "node:assert";
import { allowAll, ToolRunner, tool } from "@toolstile/core";
import { memoryTokens, redact } from "@toolstile/redact";

const email = "zoe@brawyn.de";
const card = "5018083346444446";
const customer = tool({ name: "customer", execute: () => `Zoe, ${email}, card ${card}` });
const mail = tool({ name: "mail", execute: ({ to }) => `Sent to ${to}.` });

// The host keeps the addresses; the model reads tokens of them.
const tokens = memoryTokens();
const guard = redact({ action: { "personal.email": "token", "personal.card": "last4" }, tokens });
const runner = new ToolRunner({ tools: [customer, mail], guardrails: [allowAll(), guard] });

const { result } = await runner.run({ name: "customer" });
console.log(result.content);
assert(!result.content.includes(email) && !result.content.includes(card));

const strict = redact({ arguments: "deny" });
const outcome = await new ToolRunner({ tools: [mail], guardrails: [strict] }).run({
  name: "mail",
  arguments: JSON.stringify({ to: email }),
});
console.log(outcome.result.content);
assert.equal(outcome.status, "denied");
assert.equal(tokens.restore(result.content), `Zoe, ${email}, card [redacted personal.card *4446]`);
