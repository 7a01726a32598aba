import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FindingsFile } from "../src/replay/findings-file.js";
import { UsageError } from "../src/terminal/command-line.js";
import { temporaryFolder } from "./temporary-folder.js";

const finding = { messageIndex: 0, code: "schema", reason: "as it is" };
const place = (conversation = "garden") => ({ file: "one.jsonl", line: 1, conversation });

function written(path: string, conversation?: string): void {
  const file = new FindingsFile(path);
  file.begin();
  file.add(place(conversation), [finding]);
  file.close();
}

describe("FindingsFile", () => {
  it("writes over a list of findings, and not before it is told to begin", () => {
    const path = temporaryFolder().at("findings.jsonl");
    written(path, "old");
    const before = readFileSync(path, "utf8");
    const file = new FindingsFile(path);
    expect(readFileSync(path, "utf8")).toBe(before);
    file.begin();
    expect(readFileSync(path, "utf8")).toBe("");
    file.add(place("new"), [finding]);
    file.close();
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ conversation: "new" });
  });

  it.each([
    ["prose", "Dear all\n"],
    ["a conversation", '{"id":"garden","messages":[]}\n'],
    ["an audit log", '{"seq":1,"prev":"00","v":1,"kind":"head"}\n'],
    ["a finding that is cut short", '{"file":"one.jsonl","li'],
    ["a blank line", "\n"],
    ["bytes that are no text", new Uint8Array([0xff, 0x00, 0xfe])],
  ])("leaves a file alone that holds %s", (_, content) => {
    const path = temporaryFolder().file("findings.jsonl", content);
    expect(() => new FindingsFile(path)).toThrow(UsageError);
    expect(readFileSync(path)).toEqual(Buffer.from(content));
  });

  it("takes an empty file, and a device", () => {
    const path = temporaryFolder().file("findings.jsonl");
    written(path);
    expect(readFileSync(path, "utf8")).toContain("garden");
    expect(written("/dev/null")).toBe(undefined);
  });

  it("writes nothing that a terminal would obey or would not show, and reads its own list again", () => {
    const path = temporaryFolder().at("findings.jsonl");
    const evil = "\u001b[2J\u009b31m\u202etxt\u{e0041}\u2028\ud800";
    const file = new FindingsFile(path);
    file.add({ file: evil, line: 1, conversation: evil }, [{ ...finding, reason: evil }]);
    file.close();
    const text = readFileSync(path, "utf8");
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}\u2028\u2029]/u);
    expect(JSON.parse(text)).toMatchObject({ file: evil, conversation: evil, reason: evil });
    expect(written(path)).toBe(undefined);
  });

  it("holds no more than a piece of a long list at a time", () => {
    const path = temporaryFolder().at("findings.jsonl");
    const file = new FindingsFile(path);
    file.begin();
    const many = Array.from({ length: 2_000 }, () => ({ ...finding, reason: "x".repeat(1e5) }));
    file.add(place(), many);
    expect(readFileSync(path).length).toBeGreaterThan(2_000 * 1_000 - (1 << 17));
    file.close();
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines.length).toBe(2_000);
    expect(JSON.parse(lines[1_999] as string).reason).toBe("x".repeat(1_000));
  });

  it.skipIf(process.platform !== "linux")(
    "fails once when the disk is full, and takes no more",
    () => {
      const file = new FindingsFile("/dev/full");
      file.begin();
      const many = Array.from({ length: 1_000 }, () => finding);
      expect(() => file.add(place(), many)).toThrow("ENOSPC");
      expect(file.close()).toBe(undefined);
    },
  );
});
