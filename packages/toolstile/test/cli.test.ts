import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { asks, call, conversation, jsonl } from "./conversations.js";
import { temporaryFolder } from "./temporary-folder.js";

const entry = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const run = promisify(execFile);

describe.skipIf(!existsSync(entry))("the built command (dist/cli.js)", () => {
  it("replays, and ends with 0", async () => {
    const file = temporaryFolder().file("x.jsonl", jsonl(conversation([asks(call("x", "{}"))])));
    const { stdout, stderr } = await run(process.execPath, [entry, "replay", file, "--json"]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout).total.codes).toEqual({ not_allowed: 1 });
  });

  it("ends with 2 when called wrongly", async () => {
    await expect(run(process.execPath, [entry, "rerun"])).rejects.toMatchObject({
      code: 2,
      stdout: "",
    });
  });

  it("does not complain when its reader has seen enough", async () => {
    const { stdout, stderr } = await run("/bin/sh", [
      "-c",
      '"$0" "$1" demo | head -n 1',
      process.execPath,
      entry,
    ]);
    expect([stdout.trimEnd(), stderr]).toEqual([
      "A bookshop's agent, and the guards between it and its tools",
      "",
    ]);
  });

  it("reads on, and leaves its files whole, when nobody reads its complaints", async () => {
    const folder = temporaryFolder();
    const asked = conversation([asks(call("x", "{}"))]);
    const file = folder.file("x.jsonl", `${"no JSON\n".repeat(50)}${jsonl(asked)}`);
    const argv = ["replay", file, "--findings", "f.jsonl", "--audit", "a.jsonl"];
    const script = '("$@" 2>&1; echo $? >code) | head -n 1';
    const { stdout } = await run(
      "/bin/sh",
      ["-c", script, "sh", process.execPath, entry, ...argv],
      {
        cwd: folder.path,
      },
    );
    expect(stdout).toBe(`${file}:1: the line is not JSON\n`);
    expect(readFileSync(folder.at("code"), "utf8")).toBe("1\n");
    expect(readFileSync(folder.at("f.jsonl"), "utf8")).toContain('"not_allowed"');
    expect(readdirSync(folder.path).sort()).toEqual([
      "a.jsonl",
      "a.jsonl.key",
      "code",
      "f.jsonl",
      "x.jsonl",
    ]);
  });

  it.skipIf(process.platform !== "linux")(
    "says that the disk is full, and ends with 1",
    async () => {
      const file = temporaryFolder().file("x.jsonl", jsonl(conversation([asks(call("x", "{}"))])));
      const script = '"$@" >/dev/full';
      const failed = run("/bin/sh", ["-c", script, "sh", process.execPath, entry, "replay", file]);
      await expect(failed).rejects.toMatchObject({
        code: 1,
        stderr: "What was asked for cannot be written: the disk is full\n",
      });
      const listed = run(process.execPath, [entry, "replay", file, "--findings", "/dev/full"]);
      await expect(listed).rejects.toMatchObject({
        code: 1,
        stderr: "/dev/full: the disk is full\n",
      });
    },
  );
});
