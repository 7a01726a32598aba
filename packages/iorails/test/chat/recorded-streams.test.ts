import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CompletionAssembler } from "../../src/chat/assembly.js";
import type { AskedCall, Completion } from "../../src/chat/message.js";
import { SseReader } from "../../src/chat/sse.js";
import { toolCall } from "../../src/chat/wire.js";
import { pushed } from "./sse-events.js";

const shared =
  process.env["TOOLSTILE_SHARED_DATA"] ??
  fileURLToPath(new URL("../../../../../shared/data", import.meta.url));
const streams = join(shared, "streams", "recorded.jsonl");
const reports = join(shared, "bug-reports", "dev.jsonl");

interface Recorded {
  readonly id: string;
  readonly stream_chunks: readonly unknown[];
  readonly assembled: {
    readonly message: { readonly content: string | null; readonly tool_calls: readonly unknown[] };
    readonly finish_reason: string | null;
  };
}
interface Recipe {
  readonly open: object;
  readonly prefix: string;
  readonly repeat: { readonly fragment: string; readonly times: number };
  readonly suffix: string;
  readonly finish: string;
}
interface Report {
  readonly id: string;
  readonly class: string;
  readonly input: { readonly stream_chunks?: readonly unknown[]; readonly recipe?: Recipe };
  readonly expect: { readonly assembled?: readonly unknown[]; readonly codes?: readonly string[] };
}

function lines<Line>(file: string): readonly Line[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function asBytes(chunks: readonly unknown[], lineEnd = "\n"): Uint8Array {
  const events = [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"];
  return new TextEncoder().encode(
    events.map((data) => `data: ${data}${lineEnd}${lineEnd}`).join(""),
  );
}

/** The data of the events in `bytes`, which come in pieces that end at `ends`. */
function readCut(bytes: Uint8Array, ends: Iterable<number>): readonly string[] {
  const reader = new SseReader();
  const data: string[] = [];
  let start = 0;
  for (const end of ends) {
    for (const event of pushed(reader, bytes.subarray(start, end))) data.push(event.data);
    start = end;
  }
  for (const event of pushed(reader, bytes.subarray(start))) data.push(event.data);
  return data;
}

function assemble(data: readonly string[]): Completion {
  const assembler = new CompletionAssembler("main");
  expect(data.at(-1)).toBe("[DONE]");
  for (const text of data.slice(0, -1)) assembler.take(JSON.parse(text));
  return assembler.end();
}

/** Compares without the cost of `toEqual`: this runs for hundreds of thousands of lists. */
function areEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

/** Numbers that are the same on every run: the multiplier and increment of Numerical Recipes' generator. */
function* seeded(below: number): Generator<number> {
  for (let state = 20_250_601; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state % below;
  }
}

/** How a stream can be cut: everywhere in two up to 16 kB; above at 1,000 places at once, and into single bytes. */
function* cuts(length: number): Generator<Iterable<number>> {
  yield Array.from({ length }, (_, at) => at);
  if (length <= 16 * 1024) {
    for (let cut = 0; cut <= length; cut += 1) yield [cut];
    return;
  }
  const places = seeded(length);
  yield Array.from({ length: 1000 }, () => Number(places.next().value)).sort((a, b) => a - b);
}

function cutsThatDiffer(bytes: Uint8Array, expected: readonly string[]): number {
  let differing = 0;
  for (const ends of cuts(bytes.length)) {
    if (!areEqual(readCut(bytes, ends), expected)) differing += 1;
  }
  return differing;
}

/** What of a stream decides how its bytes are read: many recordings differ in ids alone. */
function shape(chunks: readonly unknown[]): string {
  return JSON.stringify(chunks).replace(/"(?:id|system_fingerprint)":"[^"]*"|"created":\d+/g, "");
}

describe.skipIf(!existsSync(streams))("recorded streams (needs ../shared/data)", () => {
  const recorded = existsSync(streams) ? lines<Recorded>(streams) : [];

  it("assemble to the calls that were asked for", () => {
    expect(recorded.length).toBeGreaterThan(0);
    for (const { id, stream_chunks, assembled } of recorded) {
      const { calls, content, finishReason } = assemble(readCut(asBytes(stream_chunks), []));
      const named = calls.map(({ id, type, name, arguments: text }) => ({
        id,
        type,
        function: { name, arguments: text },
      }));
      expect({ id, named }).toEqual({ id, named: assembled.message.tool_calls });
      expect({ id, content, finishReason: finishReason ?? null }).toEqual({
        id,
        content: assembled.message.content ?? "",
        finishReason: assembled.finish_reason,
      });
    }
  });

  it("give the same events wherever their bytes are cut, with either line end", {
    tags: "long",
  }, () => {
    const seen = new Set<string>();
    let differing = 0;
    for (const { stream_chunks } of recorded) {
      const alike = shape(stream_chunks);
      if (seen.has(alike)) continue;
      const expected = [...stream_chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"];
      differing += cutsThatDiffer(
        asBytes(stream_chunks, seen.size % 2 === 0 ? "\n" : "\r\n"),
        expected,
      );
      seen.add(alike);
    }
    expect(seen.size).toBeGreaterThan(30);
    expect(differing).toBe(0);
  });
});

describe.skipIf(!existsSync(reports))("bug reports on streams (needs ../shared/data)", () => {
  const about = (existsSync(reports) ? lines<Report>(reports) : []).filter(
    ({ input }) => input.stream_chunks !== undefined || input.recipe?.repeat !== undefined,
  );

  it.each(about.filter(({ input }) => input.stream_chunks !== undefined))(
    "$id gives what the report asks for, wherever its bytes are cut",
    ({ id, input, expect: { assembled, codes = [] } }) => {
      const chunks = input.stream_chunks ?? [];
      const bytes = asBytes(chunks);
      const data = readCut(bytes, []);
      expect(cutsThatDiffer(bytes, data)).toBe(0);
      const { calls } = assemble(data);
      if (assembled !== undefined) {
        const misquoted = misquotations[id] ?? { said: "", sent: "" };
        const asSent = JSON.stringify(assembled).replace(misquoted.said, misquoted.sent);
        expect(calls.map(toolCall)).toEqual(JSON.parse(asSent));
        return;
      }
      expect(calls).toHaveLength(1);
      expect(codes.map((code) => [code, faults[code]?.(calls[0])])).toEqual(
        codes.map((code) => [code, true]),
      );
    },
  );

  it("bug-022 puts 50,000 pieces together", () => {
    const recipe = about.find(({ id }) => id === "bug-022")?.input.recipe;
    if (recipe === undefined) throw new Error("bug-022 is gone");
    const assembler = new CompletionAssembler("main");
    const give = (entry: object): void => {
      assembler.take({ choices: [{ index: 0, delta: { tool_calls: [entry] } }] });
    };
    const { prefix, repeat, suffix } = recipe;
    give(recipe.open);
    give({ index: 0, function: { arguments: prefix } });
    for (let time = 0; time < repeat.times; time += 1)
      give({ index: 0, function: { arguments: repeat.fragment } });
    give({ index: 0, function: { arguments: suffix } });
    expect(assembler.end().calls[0]?.arguments).toBe(
      prefix + repeat.fragment.repeat(repeat.times) + suffix,
    );
  });
});

/** Where a report expects arguments that its own chunks do not spell. */
const misquotations: Record<string, { readonly said: string; readonly sent: string }> = {
  // A space after the colon that no chunk has.
  "bug-001": { said: String.raw`city\": \"Oslo`, sent: String.raw`city\":\"Oslo` },
};

/** What the reports call a fault in arguments; nothing is mended here, so whoever judges the call still finds it. */
const faults: Record<string, (call: AskedCall | undefined) => boolean> = {
  args_not_json: isNoJson,
  concatenated_json: isNoJson,
  truncated: isNoJson,
  args_wrong_type: (call) => typeof call?.arguments === "object",
};

function isNoJson(call: AskedCall | undefined): boolean {
  try {
    JSON.parse(String(call?.arguments));
    return false;
  } catch {
    return call?.arguments !== "";
  }
}
