import { describe, expect, it } from "vitest";
import { main } from "../src/main.js";
import { capturedTerminal } from "./captured-terminal.js";
import { folderWithPackages, packagesAreBuilt } from "./installed-packages.js";

const text = { type: "string" };
const texts = { type: "array", items: text };
const tool = (name: string, properties: object) => ({
  name,
  inputSchema: { type: "object", properties },
});
const tools = [
  tool("read", { path: text }),
  tool("write", { path: text, note: text }),
  tool("edit", { path: text, note: text }),
  tool("media", { path: text, note: text }),
  tool("delete", { path: text }),
  tool("read_all", { paths: texts }),
  tool("list", { folder: text }),
];
const allowed = `  - use: "@toolstile/allowlist"
    with: { allow: [read, write, edit, media, read_all, list] }
  - use: "@toolstile/schema"
`;
const under = "{ at: /path, pathUnder: /srv }";
const note =
  "The rule 'folders' asks about /path of 3 tools; 'media' has /path too and no rule about it.";

async function check(rules: readonly string[], ...options: string[]) {
  const folder = folderWithPackages();
  folder.file("tools.json", JSON.stringify({ tools }));
  const list = rules.map((rule) => `        - ${rule}\n`).join("");
  const guards = `${allowed}  - use: "@toolstile/rules"\n    with:\n      rules:\n${list}`;
  const path = folder.file("guard.yaml", `version: 1\nguards:\n${guards}`);
  const terminal = capturedTerminal();
  const declared = options.map((each) => (each === "tools.json" ? folder.at(each) : each));
  const code = await main(["check", path, "--json", ...declared], terminal);
  return { code, ...JSON.parse(terminal.written().out) };
}

const declared = ["--tools", "tools.json"];
const folders = (names: string, condition = under) =>
  `{ id: folders, tools: [${names}], require: ${condition}, deny: outside }`;

describe.skipIf(!packagesAreBuilt)("a tool that a rule about paths leaves out", () => {
  it("is noted, and is no finding", async () => {
    const { code, notes, findings } = await check([folders("read, write, edit")], ...declared);
    expect([code, notes, findings]).toEqual([0, [note], []]);
  });

  it.each([
    ["a check within other conditions", `{ all: [{ not: { any: [${under}] } }] }`],
    ["a check of names", "{ at: /path, realPathHas: .env }"],
    ["a check of hosts", "{ at: /path, hostIn: example.com }"],
    ["a check of domains", "{ at: /path, emailDomain: example.com }"],
  ])("is noted for %s", async (_, condition) => {
    const { notes } = await check([folders("read, write, edit", condition)], ...declared);
    expect(notes).toEqual([note]);
  });

  it("is noted where another rule about it asks of another place, or of results", async () => {
    const rules = [
      "{ id: notes, when: { at: /note, contains: x, optional: true }, deny: x }",
      "{ id: long, cut: 5000 }",
      "{ id: stuck, repeats: 3, deny: stuck }",
      "{ id: trimmed, tools: [media], change: { at: /note, trim: true } }",
    ];
    const { notes } = await check([folders("read, write, edit"), ...rules], ...declared);
    expect(notes).toEqual([note]);
  });

  it.each([
    ["another rule asks about the place", "{ at: /path, contains: x }"],
    ["an expression may read it", "{ cel: 'args.path != \"\"' }"],
  ])("is not noted where %s", async (_, condition) => {
    const other = `{ id: other, tools: [media], when: ${condition}, deny: x }`;
    const { notes } = await check([folders("read, write, edit"), other], ...declared);
    expect(notes).toEqual([]);
  });

  it("is not noted where each call of it is asked about or denied", async () => {
    const asked = "{ id: other, tools: [media], ask: may it }";
    const rules = [folders("read, write, edit"), asked];
    const { notes } = await check(rules, ...declared);
    expect(notes.join()).not.toContain("'media'");
  });

  it.each([
    ["as many tools or more are left out", "read, write"],
    ["one tool alone is meant", "read"],
    ["none is left out", "read, write, edit, media"],
  ])("is not noted where %s", async (_, names) => {
    expect((await check([folders(names)], ...declared)).notes).toEqual([]);
  });

  it("is not noted for a rule about texts", async () => {
    const rule = folders("read, write, edit", "{ at: /path, startsWith: /srv }");
    expect((await check([rule], ...declared)).notes).toEqual([]);
  });

  it("is not noted where no tools are declared", async () => {
    const { notes } = await check([folders("read, write, edit")]);
    expect(notes).toEqual([]);
  });
});
