import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DefinitionPins, filePins, type Pin } from "../src/index.js";
import { listed } from "./support/wire.js";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pins-"));
  path = join(folder, "deep", "pins.json");
});
afterEach(() => rm(folder, { recursive: true }));

const tool = (name: string, more: object = {}) => ({ name, definition: listed(name, more) });
const opened = async () => new DefinitionPins({ store: await filePins(path) });

describe("a file of pins", () => {
  it("outlives the process, is its owner's only, and is left alone by a list that changes nothing", async () => {
    await (await opened()).withheld("mail", [tool("send"), tool("read")]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const before = await readFile(path, "utf8");
    const again = await opened();
    expect([...(await again.withheld("mail", [tool("read"), tool("send")])).keys()]).toEqual([]);
    expect(await readFile(path, "utf8")).toBe(before);
    const changed = await again.withheld("mail", [tool("send", { title: "x" })]);
    expect([...changed.keys()]).toEqual(["send"]);
    expect(await readdir(join(folder, "deep"))).toEqual(["pins.json"]);
  });

  it("is read anew, so that an approval by another process holds at once", async () => {
    const proxy = await opened();
    const reviewer = await opened();
    await proxy.withheld("mail", [tool("send")]);
    await proxy.withheld("mail", [tool("send", { title: "x" })]);
    const [status] = await reviewer.list();
    await reviewer.approve("mail", "send", status?.seen ?? "");
    expect([...(await proxy.withheld("mail", [tool("send", { title: "x" })])).keys()]).toEqual([]);
  });

  it("loses nothing that is written by many at once", async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, opened));
    await Promise.all(stores.map((pins, index) => pins.withheld(`server${index}`, [tool("send")])));
    expect(await (await opened()).list()).toHaveLength(8);
  });

  it.each<[string, (text: string) => string]>([
    ["is empty", () => ""],
    ["is cut", (text) => text.slice(0, -20)],
    ["is of another version", (text) => text.replace('"version": 1', '"version": 2')],
    ["has a definition changed", (text) => text.replace("Does send.", "Does all.")],
    ["has a digest changed", (text) => text.replace(/"digest": "./, '"digest": "x')],
    ["has a pin twice", (text) => text.replaceAll('"tool": "read"', '"tool": "send"')],
    ["has a member that nobody reads", (text) => text.replace('"tool"', '"trusted": true, "tool"')],
    ["pins nothing", () => '{"version":1,"pins":[{"server":"a","tool":"b"}]}'],
    ["is a list", () => "[]"],
    ["is no text", () => "\u{d800}"],
  ])("that %s is an error at load, and never no pins", async (_, damage) => {
    const pins = await opened();
    await pins.withheld("mail", [tool("send"), tool("read")]);
    const damaged = damage(await readFile(path, "utf8"));
    await writeFile(path, damaged === "\u{d800}" ? new Uint8Array([0xff]) : damaged);
    await expect(filePins(path)).rejects.toMatchObject({ code: "ERR_CONFIG" });
    await expect(pins.withheld("mail", [tool("send")])).rejects.toMatchObject({
      code: "ERR_CONFIG",
      message: expect.stringContaining("pins.json"),
    });
  });

  it("that was there and is gone is an error", async () => {
    const pins = await opened();
    await pins.withheld("mail", [tool("send")]);
    await rm(path);
    await expect(pins.withheld("mail", [tool("send")])).rejects.toMatchObject({
      code: "ERR_CONFIG",
    });
  });

  it("that is a folder is an error at load", async () => {
    await expect(filePins(folder)).rejects.toMatchObject({ code: "ERR_CONFIG" });
    await expect(filePins("")).rejects.toMatchObject({ code: "ERR_INVALID_OPTION" });
  });

  it("is not held up by the lock of a process that died", async () => {
    const store = await filePins(path);
    await store.update((pins) => pins);
    const { stdout } = await promisify(execFile)(process.execPath, ["-p", "process.pid"]);
    await writeFile(`${path}.lock`, JSON.stringify({ pid: Number(stdout), host: hostname() }));
    const pin: Pin = { server: "a", tool: "b", seen: { digest: "d", definition: {}, at: "" } };
    await store.update(() => [pin]);
    expect(await readdir(join(folder, "deep"))).toEqual(["pins.json"]);
  });
});
