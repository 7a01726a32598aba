import type { JsonValue } from "@toolstile/core";
import { isJsonObject } from "@toolstile/core/provider";
import { publishedScores, type Redactor, redactor } from "@toolstile/redact";
import { type Command, exitCodes } from "../terminal/command.js";
import { readArguments, UsageError } from "../terminal/command-line.js";
import { printable, type Terminal } from "../terminal/terminal.js";
import { FindingLines } from "./finding-lines.js";
import { memberPlaces } from "./json-member.js";

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
      const pieces = decoded(input());
      return field === undefined
        ? redactText(pieces, prints, terminal)
        : redactLines(pieces, field, prints, terminal);
    },
  };
}

function kindsWithScores(): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(9);
  const scores = new Map(publishedScores.map((score) => [score.kind, score]));
  // First those with scores, as the page of scores has them. The made-up data may lack a kind.
  const kinds = [...new Set([...scores.keys(), ...redactor().kinds])];
  const rows = kinds.map((kind) => {
    const { recall, precision, items } = scores.get(kind) ?? { items: 0 };
    const shares = [recall, precision].map((share) =>
      share === undefined ? "–".padStart(9) : percent(share),
    );
    return `${kind.padEnd(30)}${shares.join("")}${String(items).padStart(8)}\n`;
  });
  return `${"kind".padEnd(30)}   recall precision   items\n${rows.join("")}`;
}

async function* decoded(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
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
  let isEmpty = true;
  let isNamed = false;
  for await (const line of linesOf(pieces)) {
    number += 1;
    if (line !== undefined && line.trim() === "") {
      out.write(prints ? "[]\n" : `${line}\n`);
      continue;
    }
    const object = line === undefined ? undefined : parsed(line);
    if (line === undefined || object === undefined) {
      const fault =
        line === undefined ? `is longer than ${longestLine} units` : "is no JSON object";
      err.write(`Line ${number} ${fault}. It was not printed, nor what follows.\n`);
      return exitCodes.broken;
    }
    isEmpty = false;
    isNamed ||= Object.hasOwn(object, field);
    out.write(`${prints ? findingsIn(whole, line, field) : redactedLine(whole, line, field)}\n`);
  }
  if (isEmpty || isNamed) return exitCodes.ok;
  err.write(`No line has the member '${printable(field)}': nothing was masked.\n`);
  return exitCodes.broken;
}

/** The findings in all that would be masked: also in a member that is given twice. */
function findingsIn(whole: Redactor, line: string, field: string): string {
  const found = memberPlaces(line, field).flatMap(({ start, end }): readonly object[] => {
    const value = JSON.parse(line.slice(start, end)) as JsonValue;
    if (typeof value !== "string") return whole.findInJson(value);
    return whole.find(value).map(({ start, end, kind }) => ({ start, end, kind }));
  });
  return JSON.stringify(found);
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

function redactedLine(whole: Redactor, line: string, field: string): string {
  return withMember(line, field, (each) =>
    typeof each === "string" ? whole.text(each).value : whole.json(each).value,
  );
}

/** The line with another value of one member; all else stands as it stood, numbers of any length too. */
function withMember(line: string, field: string, change: (value: JsonValue) => JsonValue): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of memberPlaces(line, field)) {
    parts.push(line.slice(from, start));
    parts.push(JSON.stringify(change(JSON.parse(line.slice(start, end)) as JsonValue)));
    from = end;
  }
  parts.push(line.slice(from));
  return parts.join("");
}

function parsed(line: string): Record<string, JsonValue> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? (value as Record<string, JsonValue>) : undefined;
  } catch {
    return undefined;
  }
}
