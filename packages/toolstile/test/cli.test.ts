import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { asks, call, conversation, jsonl } from "./conversations.js";
import { temporaryFolder } from "./temporary-folder.js";

const entry = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const run = promisify(execFile);

describe.skipIf(!existsSync(entry))("the built command (dist/cli.js)", { timeout: 60_000 }, () => {
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
});
