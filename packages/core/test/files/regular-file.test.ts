import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRegularFile, readRegularFile } from "../../src/files/index.js";
import { temporaryFolder } from "./temporary.js";

const isPosix = process.platform !== "win32";

function fileOf(text: string): string {
  const path = join(temporaryFolder(), "file");
  writeFileSync(path, text);
  return path;
}

describe.skipIf(!isPosix)("what stands in the place of a file (not on Windows)", () => {
  it.each<[string, (path: string) => void]>([
    ["a pipe that nobody writes to", (path) => void execFileSync("mkfifo", [path])],
    ["a folder", (path) => mkdirSync(path)],
    ["a link to a file", (path) => symlinkSync(fileOf("precious"), path)],
    ["a link to itself", (path) => symlinkSync(path, path)],
    ["a link to nowhere", (path) => symlinkSync("/nowhere/at/all", path)],
    ["a device, by a link", (path) => symlinkSync("/dev/zero", path)],
  ])("P16 is neither read nor written when it is %s", (_, plant) => {
    const path = join(temporaryFolder(), "planted");
    plant(path);
    const notRegular = expect.objectContaining({ code: "ENOTREG" });
    expect(() => readRegularFile(path)).toThrow(notRegular);
    expect(() => openRegularFile(path, constants.O_RDWR | constants.O_APPEND)).toThrow(notRegular);
  });

  it("is read by a link only where that was asked for, and even then never a device", () => {
    const folder = temporaryFolder();
    symlinkSync(fileOf("a key"), join(folder, "link"));
    symlinkSync("/dev/zero", join(folder, "zero"));
    expect(readRegularFile(join(folder, "link"), { followLinks: true }).toString()).toBe("a key");
    expect(() => readRegularFile(join(folder, "zero"), { followLinks: true })).toThrow(
      "Expected a regular file",
    );
  });
});

describe("reading a file", () => {
  it("gives all of its bytes, also of an empty one", () => {
    const long = "x".repeat(100_000);
    for (const text of ["", "a", long]) expect(readRegularFile(fileOf(text)).toString()).toBe(text);
  });

  it.skipIf(process.platform !== "linux")("gives those of a file that states no size", () => {
    const path = `/proc/${process.pid}/stat`;
    expect(readRegularFile(path).toString()).toMatch(new RegExp(`^${process.pid} `));
  });

  it("refuses a file that is longer than allowed", () => {
    const path = fileOf("12345");
    expect(readRegularFile(path, { mostBytes: 5 }).toString()).toBe("12345");
    expect(() => readRegularFile(path, { mostBytes: 4 })).toThrow(
      expect.objectContaining({ code: "EFBIG" }),
    );
  });

  it.skipIf(process.platform !== "linux")(
    "refuses one that is longer than it says, without reading it to the end",
    () => {
      expect(() => readRegularFile(`/proc/${process.pid}/stat`, { mostBytes: 4 })).toThrow(
        expect.objectContaining({ code: "EFBIG" }),
      );
    },
  );

  it("lets the caller refuse the very file that is read", () => {
    const path = fileOf("12345");
    const sizes: number[] = [];
    readRegularFile(path, { check: ({ size }) => void sizes.push(size) });
    expect(sizes).toEqual([5]);
    const check = () => {
      throw new Error("not ours");
    };
    expect(() => readRegularFile(path, { check })).toThrow("not ours");
  });

  it("says of a file that is not there just that", () => {
    expect(() => readRegularFile(join(temporaryFolder(), "none"))).toThrow(
      expect.objectContaining({ code: "ENOENT" }),
    );
  });
});

it("opens a file that is not there with the mode that was asked for", () => {
  const path = join(temporaryFolder(), "new");
  closeSync(openRegularFile(path, constants.O_WRONLY | constants.O_CREAT, { mode: 0o600 }));
  expect(readFileSync(path, "utf8")).toBe("");
});

it.each([Number.NaN, -1, "9" as never])("P5 refuses a limit of %s bytes", (mostBytes) => {
  expect(() => readRegularFile(fileOf("long"), { mostBytes })).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
  );
});

it("P16 neither checks nor reads what is too long, and keeps no file open", () => {
  const path = fileOf("12345");
  const checked: number[] = [];
  const check = ({ size }: { size: number }): void => void checked.push(size);
  const descriptors = new Set<number>();
  for (let turn = 0; turn < 3; turn++) {
    readRegularFile(path, { mostBytes: 5, check });
    expect(() => readRegularFile(path, { mostBytes: 4, check })).toThrow("at most 4 bytes");
    const descriptor = openRegularFile(path, constants.O_RDONLY);
    descriptors.add(descriptor);
    closeSync(descriptor);
  }
  expect(checked).toEqual([5, 5, 5]);
  // The system gives the lowest number that is free.
  expect(descriptors.size).toBe(1);
});
