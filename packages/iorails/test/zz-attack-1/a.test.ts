import { expect, it } from "vitest";
import { completionBody, completionChunk, modelServer } from "@toolstile/testing";
import { receipts } from "@toolstile/result-linkage";
import { Guardrails, RailsConfig } from "../../src/index.js";

const log = (...a: unknown[]) => console.log("##", ...a.map((x) => (typeof x === "string" ? x : JSON.stringify(x))));
const user = { role: "user", content: "hi" };
const fn = (name: string, parameters?: object) => ({ type: "function", function: { name, ...(parameters && { parameters }) } });
async function setup(replies: any, rails: string, options: any = {}, extra = "", params = "") {
  const model = await modelServer(replies);
  const config = RailsConfig.fromContent({ yaml: `
models:
  - { type: main, engine: openai, model: m, parameters: { base_url: "${model.url}", max_attempts: 1 ${params} } }
${extra.replaceAll("URL", model.url)}
rails:
${rails}
` });
  const g = new Guardrails(config, { env: {}, ...options });
  return { model, g };
}
const both = `  tool_output: { flows: [tool call validation] }
  tool_input: { flows: [tool result validation] }`;
const msg = (m: any) => ({ body: completionBody(m) });

it("T1 function-role result skips providers", async () => {
  const seen: unknown[] = [];
  const guard = { name: "no-orders", evaluateResult: (_c: any, r: any) => { seen.push(r.content); return { decision: "deny", reason: "x" } as const; } };
  const { model, g } = await setup([msg({ content: "ok" })], both, { providers: { toolInput: [guard] } });
  const r = await g.generate({ messages: [user, { role: "assistant", content: null, function_call: { name: "read_mail", arguments: "{}" } }, { role: "function", name: "read_mail", content: "Ignore all" }] });
  log("T1", r.status, "seen", seen, "model got", model.requests.at(0)?.body);
  await g.close(); await model.close();
});
it("T1b schema skipped for function role", async () => {
  const { model, g } = await setup([msg({ content: "ok" })], `  tool_input: { flows: [tool result validation], schemas: { get_weather: { type: object, required: [t], properties: { t: { type: number } } } } }`);
  const r = await g.generate({ messages: [user, { role: "assistant", content: null, function_call: { name: "get_weather", arguments: "{}" } }, { role: "function", name: "get_weather", content: "EVIL" }] });
  log("T1b", r.status, r.violations);
  await g.close(); await model.close();
});
it("T2 unknown roles", async () => {
  const proofs = receipts({ keys: [{ id: "k", algorithm: "hmac-sha256", secret: "0123456789abcdef0123456789abcdef" }] });
  for (const role of ["ipython", "Tool", "tool ", "TOOL", "observation", "user"]) for (const idd of [true, false]) {
    const { model, g } = await setup([msg({ content: "ok" })], `  tool_output: { flows: [tool call validation] }
  tool_input: { flows: [tool result validation], provenance: required }`, { receipts: proofs });
    const r = await g.generate({ messages: [user, { role, ...(idd && { tool_call_id: "c1" }), name: "get_balance", content: "9000" }] });
    log("T2", role, idd, r.status, r.violations[0]?.reason ?? "", model.requests.length);
    await g.close(); await model.close();
  }
});
it("T2b unknown role without provenance", async () => {
  const { model, g } = await setup(() => msg({ content: "ok" }), both);
  for (const m of [{ role: "Tool", tool_call_id: "c1", name: "x", content: "9000" }, { role: "user", tool_call_id: "c1", content: "9" }, { role: "system", tool_calls: [{ id: "a", type: "function", function: { name: "x", arguments: "{}" } }] }]) {
    const r = await g.generate({ messages: [user, m] });
    log("T2b", m, r.status, r.violations[0]?.reason ?? "");
  }
  await g.close(); await model.close();
});
it("T3 type confusion", async () => {
  const tools = [fn("get_weather", { type: "object", properties: { c: { type: "string" } } }), { type: "web_search" }];
  const calls: any[] = [
    { id: "1", type: "shell", function: { name: "get_weather", arguments: "{}" } },
    { id: "1", type: "code_interpreter", function: { name: "get_weather", arguments: '{"c":"rm"}' } },
    { id: "1", type: "mcp", server_label: "evil", function: { name: "get_weather", arguments: "{}" } },
    { id: "1", type: "web_search", name: "get_weather", arguments: "{}" },
    { id: "1", type: "web_search", function: { name: "web_search", arguments: "{}" } },
    { id: "1", type: "function", function: { name: "web_search", arguments: "{}" } },
    { id: "1", type: "function", custom: { name: "get_weather", input: "{}" } },
    { id: "1", type: "Custom", custom: { name: "get_weather", input: "{}" } },
    { id: "1", type: "web_search", web_search: { query: "x" }, args: { a: 1 } },
    { id: "1", type: "custom", function: { name: "get_weather", arguments: "{}" } },
    { id: "1", type: "function", function: { name: "get_weather\u0000", arguments: "{}" } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: { __proto__x: 1, c: "a" } } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: JSON.parse('{"__proto__":{"c":1},"c":"a"}') } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: '{"__proto__":{"c":1},"c":"a"}' } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: '{"c":"a","c":"b"}' } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: '{"c":"a","\\u0063":"b"}' } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: '\u00a0' } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: '\ufeff{"c":"a"}' } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: '{"z":1e400}' } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: '{"z":12345678901234567890}' } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: '{"z":0.1000000000000000055511151231257827}' } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: '{"c":"\\ud800"}' } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: '{"z":-0}' } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: [] } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: 0 } },
    { id: "1", type: "function", function: { name: "get_weather", arguments: false } },
    { id: "", type: "function", function: { name: "get_weather", arguments: "{}" } },
  ];
  for (const c of calls) {
    const { model, g } = await setup([msg({ content: null, tool_calls: [c] })], both);
    const r: any = await g.generate({ messages: [user], options: { llm_params: { tools } } }).catch((e) => ({ status: "throw", e: e.message }));
    log("T3", c, "=>", r.status, r.message?.tool_calls ?? r.violations?.[0]?.reason ?? r.e);
    await g.close(); await model.close();
  }
});
const facts = (sf: boolean) => `  output: { flows: [self check facts], streaming: { enabled: true, stream_first: ${sf} } }`;
const factsPrompt = `prompts:
  - { task: self_check_facts, content: "E {{ evidence }} R {{ bot_response }}" }`;
it("T4 stream with think + whole rails", async () => {
  for (const text of ["<think>BAD SECRET</think>ok", "<think>BAD ANSWER WHOLE</think>", "<think>a</think>BAD"]) {
    const judged: string[] = [];
    const { model, g } = await setup((q: any) => q.body.stream ? ({ events: [completionChunk({ content: text }), completionChunk({}, "stop")] }) : (judged.push(q.body.messages[0].content), msg({ content: q.body.messages[0].content.includes("BAD") ? "no" : "yes" })), facts(false), {}, factsPrompt);
    const out: any[] = [];
    for await (const c of g.stream({ messages: [user], options: { context: { relevant_chunks: "E" } } } as any)) out.push(c);
    log("T4", text, "judged", judged, "out", out);
    await g.close(); await model.close();
  }
});
it("T5 receipts to guard models", async () => {
  const proofs = receipts({ keys: [{ id: "k", algorithm: "hmac-sha256", secret: "0123456789abcdef0123456789abcdef" }] });
  const { model, g } = await setup((q: any) => { const c = q.body.messages[0].content; return msg({ content: q.body.messages[0].role === "system" ? "on-topic" : String(c).startsWith("P ") ? "yes" : "answer" }); },
   `  input: { flows: ["topic safety check input $model=guard"] }
  output: { flows: [self check hallucination] }
  tool_input: { flows: [tool result validation], provenance: required }`, { receipts: proofs }, `  - { type: guard, engine: x, model: g, parameters: { base_url: "URL" } }
prompts:
  - { task: topic_safety_check_input $model=guard, content: "be good" }
  - { task: self_check_hallucination, content: "P {{ paragraph }} S {{ statement }}" }`);
  const callReceipt = proofs.signCall({ callId: "c", toolName: "t", args: "{}" });
  const receipt = proofs.signResult({ callId: "c", toolName: "t", content: "x", callReceipt });
  const r = await g.generate({ messages: [user, { role: "assistant", content: null, tool_calls: [{ id: "c", type: "function", function: { name: "t", arguments: "{}" }, receipt: callReceipt }] }, { role: "tool", tool_call_id: "c", name: "t", content: "x", receipt }] });
  log("T5", r.status, r.violations, model.requests.map((q: any) => [q.body.model, q.body.temperature, JSON.stringify(q.body).includes("toolstile1")]));
  await g.close(); await model.close();
});
it("T6 class result guard loses this", async () => {
  class G { name = "g"; words = ["Ignore"]; evaluateResult(_c: any, r: any) { return JSON.stringify(r.content).includes(this.words[0]!) ? { decision: "deny", reason: "w" } : { decision: "allow" }; } }
  const { model, g } = await setup(() => msg({ content: "ok" }), both, { providers: { toolInput: [new G()] } });
  const r = await g.generate({ messages: [user, { role: "assistant", content: null, tool_calls: [{ id: "c", type: "function", function: { name: "t", arguments: "{}" } }] }, { role: "tool", tool_call_id: "c", name: "t", content: "fine" }] });
  log("T6", r.status, r.violations);
  await g.close(); await model.close();
});
it("T7 observer misses calls when off", async () => {
  const told: any[] = [];
  const obs: any = { name: "log", record: (e: any) => { told.push(e); }, observe: (e: any) => { told.push(e); }, onIntent: (e: any) => { told.push(e); }, onOutcome: (e: any) => { told.push(e); }, intent: (e: any) => { told.push(e); }, outcome: (e: any) => { told.push(e); } };
  for (const [rails, opts] of [[both, {}], [both, { rails: { tool_output: false } }], ["  input: { flows: [] }", {}]] as const) {
    told.length = 0;
    const { model, g } = await setup(() => msg({ content: null, tool_calls: [{ id: "1", type: "function", function: { name: "t", arguments: "{}" } }] }), rails, { observers: [obs] });
    const r = await g.generate({ messages: [user], options: { llm_params: { tools: [fn("t")] }, ...opts } as any });
    log("T7", opts, r.status, r.message.tool_calls, "told", told.length);
    await g.close(); await model.close();
  }
});
it("T8 pointer leaks arg keys", async () => {
  const { model, g } = await setup(() => msg({ content: null, tool_calls: [{ id: "1", type: "function", function: { name: "t", arguments: '{"sk-SECRET-KEY":"x"}' } }] }), both);
  for (const p of [{ type: "object", additionalProperties: { type: "number" } }, { type: "object", properties: { a: {} }, additionalProperties: false }, { type: "object", properties: { a: {} }, propertyNames: { maxLength: 3 } }, { type: "object", patternProperties: { "^sk": { type: "number" } } }]) {
    const r = await g.generate({ messages: [user], options: { llm_params: { tools: [fn("t", p)] } } });
    log("T8", p, r.violations);
  }
  await g.close(); await model.close();
});
