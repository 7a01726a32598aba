import { describe, expect, it } from "vitest";
import { lines } from "../src/traffic/lines.js";
import { temporaryFolder } from "./temporary-folder.js";

async function read(content: string | Uint8Array, longest?: number) {
  const path = temporaryFolder().file("lines.jsonl", content);
  const found = [];
  for await (const line of lines(path, longest)) found.push(line);
  return found;
}

describe("reading lines", () => {
  it("counts blank lines, and leaves them out", async () => {
    expect(await read("a\n\n \r\nb\r\nc")).toEqual([
      { number: 1, text: "a" },
      { number: 4, text: "b\r" },
      { number: 5, text: "c" },
    ]);
  });

  it("gives nothing for an empty file", async () => {
    expect(await read("")).toEqual([]);
  });

  it("cuts at newlines only, not at U+2028, which JSON may hold", async () => {
    const [line, ...more] = await read('{"a":"\u2028\u2029"}\n');
    expect(more).toEqual([]);
    expect(line).toEqual({ number: 1, text: '{"a":"\u2028\u2029"}' });
  });

  it("drops a byte order mark at the start of the file only", async () => {
    expect(await read("\ufeffa\n\ufeffb")).toEqual([
      { number: 1, text: "a" },
      { number: 2, text: "\ufeffb" },
    ]);
  });

  it("puts a line together that is longer than what is read at once", async () => {
    const long = "ä".repeat(1_500_000);
    expect(await read(`a\n${long}\nb`)).toEqual([
      { number: 1, text: "a" },
      { number: 2, text: long },
      { number: 3, text: "b" },
    ]);
  });

  it("says which line is not UTF-8 or too long, and reads on", async () => {
    const bytes = Buffer.concat([
      Buffer.from("a\n"),
      Buffer.from([0xc3, 0x28]),
      Buffer.from("\nb"),
    ]);
    expect(await read(bytes)).toEqual([
      { number: 1, text: "a" },
      { number: 2, fault: "is not UTF-8" },
      { number: 3, text: "b" },
    ]);
    expect(await read("abc\nabcd\nab\n", 3)).toEqual([
      { number: 1, text: "abc" },
      { number: 2, fault: "is longer than 3 bytes" },
      { number: 3, text: "ab" },
    ]);
  });
});
