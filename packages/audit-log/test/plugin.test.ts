import { readFileSync, writeFileSync } from "node:fs";
import type { ToolObserver } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { plugin, verify, verifyFolder } from "../src/index.js";
import { settledCall } from "./calls.js";
import { temporaryPath } from "./temporary.js";

describe("plugin", () => {
  it("makes an audit log that writes to the path under the key in the file", async () => {
    const path = temporaryPath();
    const keyFile = `${path}-key`;
    writeFileSync(keyFile, Buffer.alloc(32, 7));
    const log = plugin.create({ path, keyFile, payloads: true, required: true }) as ToolObserver;
    await log.settle(settledCall());
    await log.close?.();
    expect(log.required).toBe(true);
    expect(await verify(path, { key: readFileSync(keyFile) })).toMatchObject({
      ok: true,
      digestsChecked: 3,
    });
  });

  it("makes an audit log that writes to a folder", async () => {
    const path = temporaryPath("audit");
    const folder = { path, durability: "none", signingKey: false } as const;
    const log = plugin.create({ folder, payloads: "beside" }) as ToolObserver;
    await log.settle(settledCall());
    await log.close?.();
    expect(await verifyFolder(path)).toMatchObject({ ok: true, payloads: { checked: 1 } });
  });

  it("P5 takes a file or a folder, not both, and names what is misspelt in the folder's options", () => {
    const folder = { path: "x" };
    expect(() => plugin.create({ path: "x", folder })).toThrow(/exactly one of them/);
    expect(() => plugin.create({ folder: { path: "x", retenion: {} } } as never)).toThrow(
      /Did you mean 'retention'/,
    );
  });

  it("P5 names a misspelt option, and the one that is missing", () => {
    expect(() => plugin.create({ pth: "x" } as never)).toThrow(/Did you mean 'path'/);
    expect(() => plugin.create({} as never)).toThrow(/needs 'path'/);
  });

  it("declares every option in its schema and no other", () => {
    expect(Object.keys(plugin.optionsSchema.properties as object)).toContain("maxSessions");
    expect(plugin.optionsSchema).toMatchObject({ additionalProperties: false });
  });
});
