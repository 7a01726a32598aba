import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { saysOf } from "./ask.js";

const underRoot = { at: "/x", realPathUnder: [process.cwd(), "/proc", "/dev"] };
const named = { at: "/x", realPathHas: ["never.there"] };

function place(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolstile-rules-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

describe.skipIf(sep !== "/")("a path through a place that each process has its own of", () => {
  it.each([
    "/proc/self/cwd",
    "/proc/self/cwd/README.md",
    "/proc/self/cwd/not/there",
    "/proc/thread-self/cwd/README.md",
    `/proc/${process.pid}/cwd/README.md`,
    "/proc//self/./cwd/README.md",
    "/proc/self/root/dev/null",
    "/proc/self/environ",
    "/proc/curproc/file",
    "/dev/fd",
    "/dev/fd/0",
    "/dev/FD/0",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
  ])("is undecided: %s", (path) => {
    expect(saysOf(underRoot, { x: path })).toBe("untold");
    expect(saysOf(named, { x: path })).toBe("untold");
  });

  it("is undecided where only a link on its way leads there", () => {
    const folder = place();
    mkdirSync(join(folder, "sub"));
    symlinkSync("/proc/self/cwd", join(folder, "here"));
    symlinkSync(join(folder, "here", "README.md"), join(folder, "further"));
    symlinkSync("../here", join(folder, "sub", "up"));
    symlinkSync("/dev/fd/../null", join(folder, "back"));
    symlinkSync("/proc", join(folder, "processes"));
    for (const path of [
      "here",
      "here/README.md",
      "here/not-there",
      "further",
      "sub/up/README.md",
      "back",
      "processes/self/cwd/README.md",
    ]) {
      expect([path, saysOf(underRoot, { x: join(folder, path) })]).toEqual([path, "untold"]);
      expect([path, saysOf(named, { x: join(folder, path) })]).toEqual([path, "untold"]);
    }
  });

  it("is undecided where the folder of a rule is such a place", () => {
    const ofSelf = { at: "/x", realPathUnder: ["/proc/self/cwd"] };
    expect(saysOf(ofSelf, { x: join(process.cwd(), "README.md") })).toBe("untold");
  });

  it("is decided where a name only begins or ends as one of them", () => {
    const folder = place();
    for (const name of ["proc", "dev"])
      mkdirSync(join(folder, name, "self", "fd"), { recursive: true });
    symlinkSync("proc", join(folder, "link"));
    const under = { at: "/x", realPathUnder: [folder] };
    for (const path of ["proc/self/fd/0", "dev/self/fd/1", "link/self/new"]) {
      expect([path, saysOf(under, { x: join(folder, path) })]).toEqual([path, "true"]);
    }
    expect(saysOf(under, { x: "/dev/null" })).toBe("false");
  });
});
