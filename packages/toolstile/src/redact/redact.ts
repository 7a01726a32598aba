import type { JsonValue } from "@toolstile/core";
import { publishedScores, type Redactor, redactor } from "@toolstile/redact";
import { type Command, exitCodes } from "../terminal/command.js";
import { readArguments, UsageError } from "../terminal/command-line.js";
import type { Terminal } from "../terminal/terminal.js";
import { FindingLines } from "./finding-lines.js";

/** The longest line of JSON that is read, in UTF-16 units. */
const longestLine = 1 << 25;

/** `toolstile redact`: masks what it reads. */
export function redactCommand(input: () => AsyncIterable<Uint8Array>): Command {
  return {
    run: async (argv, terminal) => {
      const given = readArguments(argv, { jsonl: "string", findings: "boolean", kinds: "boolean" });
      if (given.operands.length > 0) {
        throw new UsageError("redact reads its standard input: toolstile redact < FILE");
      }
      if (given.has("kinds")) {
        terminal.out.write(kindsWithScores());
        return exitCodes.ok;
      }
      const field = given.text("jsonl");
      const prints = given.has("findings");
      const pieces = textOf(input());
      return field === undefined
        ? redactText(pieces, prints, terminal)
        : redactLines(pieces, field, prints, terminal);
    },
  };
}

function kindsWithScores(): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(9);
  const rows = publishedScores.map(
    ({ kind, recall, precision, items }) =>
      `${kind.padEnd(30)}${percent(recall)}${percent(precision)}${String(items).padStart(8)}\n`,
  );
  return `${"kind".padEnd(30)}   recall precision   items\n${rows.join("")}`;
}

async function* textOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const bytes of input) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

async function redactText(
  pieces: AsyncIterable<string>,
  prints: boolean,
  { out }: Terminal,
): Promise<number> {
  const whole = redactor();
  const stream = prints ? new FindingLines(whole) : whole.stream();
  for await (const piece of pieces) {
    const ready = stream.push(piece);
    if (ready !== "") out.write(ready);
  }
  out.write(stream.end());
  return exitCodes.ok;
}

async function redactLines(
  pieces: AsyncIterable<string>,
  field: string,
  prints: boolean,
  { out, err }: Terminal,
): Promise<number> {
  const whole = redactor();
  let number = 0;
  for await (const line of linesOf(pieces)) {
    number += 1;
    if (line !== undefined && line.trim() === "") continue;
    const done = line === undefined ? undefined : redactedLine(whole, line, field, prints);
    if (done === undefined) {
      const fault =
        line === undefined ? `is longer than ${longestLine} units` : "is no JSON object";
      err.write(`Line ${number} ${fault}. It was not printed, nor what follows.\n`);
      return exitCodes.broken;
    }
    out.write(`${done}\n`);
  }
  return exitCodes.ok;
}

/** Lines without their ends; undefined for one that is too long. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string | undefined> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
    if (rest.length > longestLine) {
      yield undefined;
      return;
    }
  }
  if (rest !== "") yield rest;
}

function redactedLine(
  whole: Redactor,
  line: string,
  field: string,
  prints: boolean,
): string | undefined {
  const object = parsed(line);
  if (object === undefined) return undefined;
  const value = Object.hasOwn(object, field) ? object[field] : undefined;
  if (prints) {
    const text = typeof value === "string" ? value : "";
    return JSON.stringify(whole.find(text).map(({ start, end, kind }) => ({ start, end, kind })));
  }
  if (value === undefined) return line;
  const redacted = typeof value === "string" ? whole.text(value).value : whole.json(value).value;
  return JSON.stringify({ ...object, [field]: redacted });
}

function parsed(line: string): Record<string, JsonValue> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, JsonValue>) : undefined;
  } catch {
    return undefined;
  }
}
