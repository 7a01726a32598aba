import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { judgeReport, reportsOf } from "../../scripts/publishing/api-report.mjs";
import { readChangesets } from "../../scripts/publishing/changesets.mjs";

const folder = mkdtempSync(join(tmpdir(), "toolstile-api-"));
afterAll(() => rmSync(folder, { recursive: true }));

let packages = 0;

/** The report of a package with these declarations. */
function bodyOf(files: Readonly<Record<string, string>>): string {
  const place = join(folder, `package-${++packages}`);
  const target = (file: string) => ({ types: `./dist/${file}`, default: "./dist/index.js" });
  const manifest = { name: "tea", exports: { ".": target("index.d.ts") } };
  const all = { "package.json": JSON.stringify(manifest), ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  return reportsOf([place])[0]?.body ?? "";
}

describe("the report of a package", () => {
  // As the compiler writes it: without the last line, all of a declaration file is exported.
  const leaf = "interface Leaf { readonly age: number }\nexport {};\n";
  const brew = "export declare function brew(leaf: Leaf): void;\n";
  const body = bodyOf({ "dist/index.d.ts": leaf + brew });

  it("has what is exported, and what that uses without being exported", () => {
    expect(body).toContain("function brew(leaf: Leaf): void;");
    expect(body).toContain("// used, and not exported\ninterface Leaf {\n");
  });

  it("changes with a type that is used, and not with a comment, the order or what nobody reaches", () => {
    const older = leaf.replace("number", "string");
    expect(bodyOf({ "dist/index.d.ts": older + brew })).not.toBe(body);
    const unreached = "interface Cup {}\n";
    expect(bodyOf({ "dist/index.d.ts": `${brew}/** Said. */\n${leaf}${unreached}` })).toBe(body);
  });

  it("names what it passes on of a file by the name that it has outside", () => {
    const files = {
      "dist/index.d.ts": 'export { make as brew } from "./make.js";\n',
      "dist/make.d.ts": "export declare const make: () => void;\n",
    };
    expect(bodyOf(files)).toContain("const make: () => void; // as brew");
  });
});

describe("a report that differs", () => {
  const now = { name: "tea", body: "## tea\n\n```ts\nconst now: 1;\n```\n" };
  const before = { name: "tea", body: "## tea\n\n```ts\nconst before: 1;\n```\n" };
  const change = (id: string, name = "tea") => ({ id, packages: [name], text: "Something." });
  const pinned = judgeReport(before, undefined, [change("first")]).text;

  it("may not be written without a changeset that names the package, and says what differs", () => {
    for (const changesets of [[], [change("first")], [change("first"), change("other", "cup")]]) {
      const { text, problem } = judgeReport(now, pinned, changesets);
      expect(text).toBeUndefined();
      expect(problem).toContain("- const before: 1;\n  + const now: 1;");
    }
  });

  it("may be written with one that was not there when it was last written", () => {
    const { text } = judgeReport(now, pinned, [change("first"), change("second")]);
    expect(text).toContain("Changesets: first, second\n\n## tea");
    expect(judgeReport(before, text, [change("first"), change("second")]).text).toBeUndefined();
  });

  it("stays as it is where only the changesets are others", () => {
    expect(judgeReport(before, pinned, []).text).toBe(pinned);
  });
});

describe("a changeset", () => {
  it("names packages, with quotes or without, and is read with its text", () => {
    const place = join(folder, "changesets");
    mkdirSync(place);
    writeFileSync(
      join(place, "a.md"),
      '---\n"@toolstile/core": minor\ntoolstile: patch\n---\n\nBrews.\n',
    );
    writeFileSync(join(place, "config.json"), "{}");
    expect(readChangesets(place)).toEqual([
      { id: "a", packages: ["@toolstile/core", "toolstile"], text: "Brews." },
    ]);
  });

  it("of this repository names only packages that there are", () => {
    const root = fileURLToPath(new URL("../..", import.meta.url));
    const names = readdirSync(join(root, "packages")).map(
      (each) => JSON.parse(readFileSync(join(root, "packages", each, "package.json"), "utf8")).name,
    );
    const changesets = readChangesets(join(root, ".changeset"));
    for (const { id, packages, text } of changesets) {
      expect(`${id}: ${packages.filter((each) => !names.includes(each))}`).toBe(`${id}: `);
      expect(packages.length, id).toBeGreaterThan(0);
      expect(text, id).not.toBe("");
    }
  });
});
