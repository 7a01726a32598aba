#!/usr/bin/env node
/**
 * Measures the cost of the engine for a stream, against a bare pass-through in the same process.
 *
 *   node --expose-gc benchmarks/engine-streams.mjs           some 20 seconds
 *   node --expose-gc benchmarks/engine-streams.mjs --full    some two minutes: 10,000 streams for the heap
 *   … --json                                                 one JSON object
 *
 * The pass-through is fetch, a reader of lines and JSON.parse: the least that
 * gives the text of a stream. The engine has tool rails on and no output rails.
 * The model's server is another process on 127.0.0.1, which does nothing else.
 */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { messages as conversation, tools } from "./conversation.mjs";
import { startModel } from "./model.mjs";

const { values } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    /** The folder that the engine is taken from. */
    engine: { type: "string", default: "@toolstile/iorails" },
  },
});
const { Guardrails, RailsConfig } = await import(values.engine);
const model = await startModel();
const { url } = model;
const rails = new Guardrails(
  await RailsConfig.fromContent({
    yaml: `
models:
  - {type: main, engine: openai, model: scripted-1, parameters: {base_url: "${url}", api_key: none}}
rails:
  tool_output: {flows: [tool call validation]}
  tool_input: {flows: [tool result validation]}
`,
  }),
  { maxStreams: 1_000 },
);

/** All but the last message, which is an answer already. */
const messages = conversation.slice(0, -1);

async function* bare(count) {
  const body = { model: "scripted-1", messages, tools, max_tokens: count, stream: true };
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer none" },
    body: JSON.stringify(body),
  });
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith("data: ") || line === "data: [DONE]") continue;
      const text = JSON.parse(line.slice(6)).choices[0]?.delta?.content;
      if (text) yield text;
    }
  }
}

const guarded = (count) =>
  rails.stream({ messages, options: { llm_params: { tools, max_tokens: count } } });

/** Read a stream to its end. */
async function read(start, count) {
  const begun = performance.now();
  let chunks = 0;
  let first = 0;
  for await (const chunk of start(count)) {
    if (chunks === 0) first = performance.now() - begun;
    if (typeof chunk !== "string" && chunk.type !== "text")
      throw new Error(`A ${chunk.type} came.`);
    chunks++;
  }
  if (chunks !== count) throw new Error(`${chunks} chunks came, and not ${count}.`);
  return { first, all: performance.now() - begun };
}

async function many(start, streams, count, atOnce) {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  let left = streams;
  const reader = async () => {
    while (left-- > 0) await read(start, count);
  };
  await Promise.all(Array.from({ length: atOnce }, reader));
  const { user, system } = process.cpuUsage(cpu);
  return { all: performance.now() - begun, cpu: (user + system) / 1_000 };
}

const sorted = (numbers) => [...numbers].sort((one, other) => one - other);
const quantile = (numbers, share) => sorted(numbers)[Math.floor((numbers.length - 1) * share)];
const spread = (numbers) =>
  [0.1, 0.5, 0.9].map((share) => Number(quantile(numbers, share).toFixed(3)));

/** Pairs side by side, in turns which first, so that a machine that slows down slows both. */
async function pairs(rounds, measure) {
  const both = [];
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? [bare, guarded] : [guarded, bare];
    const taken = new Map();
    for (const start of order) taken.set(start, await measure(start));
    both.push({ bare: taken.get(bare), guarded: taken.get(guarded) });
  }
  return both;
}

const compared = (both, read) => ({
  bare: spread(both.map((pair) => read(pair.bare))),
  guarded: spread(both.map((pair) => read(pair.guarded))),
  ratio: spread(both.map((pair) => read(pair.guarded) / read(pair.bare))),
  ofMedians: Number(
    (
      quantile(
        both.map((pair) => read(pair.guarded)),
        0.5,
      ) /
      quantile(
        both.map((pair) => read(pair.bare)),
        0.5,
      )
    ).toFixed(3),
  ),
});

const result = {
  node: process.version,
  machine: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
  load: loadavg(),
};
for (const start of [bare, guarded]) await many(start, 300, 20, 10);
// As warm as a server that has been at work.
await pairs(1_000, (start) => read(start, 16));

const short = await pairs(values.full ? 1_000 : 300, (start) => read(start, 16));
result.firstChunkMs = compared(short, ({ first }) => first);

const long = await pairs(values.full ? 100 : 30, async (start) => {
  const cpu = process.cpuUsage();
  const taken = await read(start, 2_000);
  const { user, system } = process.cpuUsage(cpu);
  return { ...taken, cpu: (user + system) / 1_000 };
});
result.twoThousandDeltasMs = compared(long, ({ all }) => all);
result.twoThousandDeltasCpuMs = compared(long, ({ cpu }) => cpu);

const crowd = await pairs(values.full ? 15 : 5, (start) => many(start, 200, 200, 200));
result.twoHundredAtOnceMs = compared(crowd, ({ all }) => all);
result.twoHundredAtOnceCpuMs = compared(crowd, ({ cpu }) => cpu);

if (typeof gc === "function") {
  // What earlier rounds left is not what is asked.
  const counts = values.full ? [1_000, 10_000] : [500, 2_000];
  result.heap = { streams: counts, bytes: [] };
  let done = 0;
  for (const count of counts) {
    await many(guarded, count - done, 16, 20);
    done = count;
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (let turn = 0; turn < 4; turn++) gc();
    result.heap.bytes.push(process.memoryUsage().heapUsed);
  }
  result.heap.percentMore = Number(
    ((result.heap.bytes[1] / result.heap.bytes[0] - 1) * 100).toFixed(2),
  );
}
result.seconds = Math.round(performance.now() / 1_000);

if (values.json) console.log(JSON.stringify(result));
else console.log(result);
await rails.close();
model.close();
