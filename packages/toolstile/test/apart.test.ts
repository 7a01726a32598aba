import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requireApart } from "../src/replay/apart.js";
import { UsageError } from "../src/terminal/command-line.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A folder with a file, other names of that file, and other names of one that is yet to be made. */
function names() {
  const folder = temporaryFolder();
  const file = folder.file("file", "x\n");
  symlinkSync(folder.path, folder.at("self"));
  symlinkSync("file", folder.at("soft"));
  linkSync(file, folder.at("hard"));
  symlinkSync("new", folder.at("first"));
  symlinkSync(folder.at("first"), folder.at("second"));
  mkdirSync(folder.at("below"));
  return { file, at: folder.at, self: join(folder.at("self"), "file") };
}

describe("requireApart", () => {
  it.each(["file", "self/file", "below/../file", "soft", "hard", "self/hard"])(
    "refuses a file that is read under another name: %s",
    (name) => {
      const { file, at } = names();
      const complaint = `--findings would write over ${file}.`;
      expect(() => requireApart({ read: [file], audit: [], findings: at(name) })).toThrow(
        new UsageError(complaint),
      );
      expect(() => requireApart({ read: [file], audit: [at(name)], findings: undefined })).toThrow(
        `--audit would write over ${file}.`,
      );
    },
  );

  it.each(["new", "self/new", "first", "second", "self/second"])(
    "refuses two things to be written to one file that is yet to be made: %s",
    (name) => {
      const { file, at } = names();
      expect(() => requireApart({ read: [file], audit: [at("new")], findings: at(name) })).toThrow(
        UsageError,
      );
    },
  );

  it("lets files be that are others, also two of one name", () => {
    const { file, at } = names();
    const findings = at("below/file");
    expect(requireApart({ read: [file], audit: [at("new"), at("new.key")], findings })).toBe(
      undefined,
    );
    expect(requireApart({ read: [file], audit: [], findings: "/dev/null" })).toBe(undefined);
    expect(requireApart({ read: ["/dev/stdin"], audit: [], findings: "/dev/null" })).toBe(
      undefined,
    );
  });
});
