import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { realPath } from "../src/files/real-path.js";
import { temporaryPath } from "./temporary.js";

/** A file's path by way of a link to its directory. */
function linkedDirectory() {
  const file = temporaryPath();
  const folder = join(dirname(file), "real");
  mkdirSync(folder);
  symlinkSync(folder, join(dirname(file), "link"));
  const real = join(realpathSync(folder), "a.jsonl");
  return { file: join(dirname(file), "link", "a.jsonl"), real };
}

describe("realPath", () => {
  it("is the same for a file, and for a file that is yet to be made, by way of a linked directory", () => {
    const { file, real } = linkedDirectory();
    expect(realPath(file)).toBe(real);
    writeFileSync(real, "");
    expect(realPath(file)).toBe(real);
    expect(realPath(relative(process.cwd(), file))).toBe(real);
  });

  it("follows links to a file that is yet to be made", () => {
    const { file, real } = linkedDirectory();
    const first = join(dirname(file), "first");
    symlinkSync("a.jsonl", first);
    symlinkSync(first, join(dirname(file), "second"));
    expect(realPath(join(dirname(file), "second"))).toBe(real);
  });

  it("names the directory that is not there, also where a link leads to it", () => {
    expect(() => realPath("nodir/a.jsonl")).toThrow(
      `The directory of the audit log '${resolve("nodir")}' does not exist. Make it first.`,
    );
    const link = temporaryPath();
    symlinkSync("/nowhere/a.jsonl", link);
    expect(() => realPath(link)).toThrow("'/nowhere' does not exist");
  });

  it("ends with links that lead to each other", () => {
    const [one, other] = [temporaryPath(), temporaryPath()];
    symlinkSync(one, other);
    symlinkSync(other, one);
    expect(() => realPath(one)).toThrow("cannot be followed (ELOOP)");
  });
});
