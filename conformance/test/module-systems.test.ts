import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "toolstile-modules-"));
const uses = 'import { allow } from "@toolstile/core";\nvoid allow;\n';

beforeAll(() => {
  mkdirSync(join(folder, "node_modules/@toolstile"), { recursive: true });
  symlinkSync(join(root, "packages/core"), join(folder, "node_modules/@toolstile/core"));
  writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }');
  writeFileSync(join(folder, "module.mts"), uses);
  writeFileSync(join(folder, "common.cts"), uses);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The codes of the compiler's errors in a file. */
function errorsIn(file: string, module: ts.ModuleKind, moduleResolution: ts.ModuleResolutionKind) {
  const path = join(folder, file);
  const program = ts.createProgram([path], {
    module,
    moduleResolution,
    target: ts.ScriptTarget.ES2022,
    ignoreDeprecations: "6.0",
    types: [],
    noLib: true,
    noEmit: true,
  });
  const source = program.getSourceFile(path);
  return program.getSemanticDiagnostics(source).map(({ code }) => `TS${code}`);
}

const { Node10, Node16, NodeNext, Bundler } = ts.ModuleResolutionKind;
const kinds = ts.ModuleKind;

describe("TypeScript", () => {
  it.each<[string, string, ts.ModuleKind, ts.ModuleResolutionKind, string[]]>([
    ["nodenext, in a module", "module.mts", kinds.NodeNext, NodeNext, []],
    ["nodenext, in CommonJS", "common.cts", kinds.NodeNext, NodeNext, []],
    ["bundler with esnext, in a module", "module.mts", kinds.ESNext, Bundler, []],
    ["bundler with preserve, in CommonJS", "common.cts", kinds.Preserve, Bundler, []],
    ["bundler with commonjs, in CommonJS", "common.cts", kinds.CommonJS, Bundler, []],
    ["node16, in a module", "module.mts", kinds.Node16, Node16, []],
    ["node16, in CommonJS", "common.cts", kinds.Node16, Node16, ["TS1479"]],
    ["node10, in a module", "module.mts", kinds.ESNext, Node10, ["TS2307"]],
    ["node10, in CommonJS", "common.cts", kinds.CommonJS, Node10, ["TS2307"]],
  ])("finds core as docs/module-systems.md says with %s", (_, file, module, resolution, errors) => {
    expect(errorsIn(file, module, resolution)).toEqual(errors);
    const page = readFileSync(join(root, "docs/module-systems.md"), "utf8");
    for (const error of errors) expect(page).toContain(error);
  });
});

describe("TypeScript without Node's types", () => {
  it.each([["core"], ["core/host"]])(
    "finds nothing wrong in the types of %s, and knows how a runner is disposed of",
    { tags: "long" },
    (entry) => {
      const path = join(folder, "types.mts");
      writeFileSync(
        path,
        `import * as all from "@toolstile/${entry}";\nexport const disposed: symbol = Symbol.asyncDispose;\nvoid all;\n`,
      );
      // As `tsc` takes them where nothing is written, and no declaration unchecked.
      const options = {
        module: kinds.NodeNext,
        moduleResolution: NodeNext,
        target: ts.ScriptTarget.ES2022,
        strict: true,
        skipLibCheck: false,
        types: [],
        noEmit: true,
      };
      const program = ts.createProgram([path], options);
      const messages = ts
        .getPreEmitDiagnostics(program)
        .filter(({ file }) => !file?.fileName.includes("/typescript/lib/"))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
      expect(messages).toEqual([]);
    },
  );
});

describe("Node", () => {
  const run = (text: string) => {
    writeFileSync(join(folder, "program.cjs"), text);
    return execFileSync(process.execPath, ["program.cjs"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  };

  it("gives require() and import the same objects", () => {
    const text = `const { ToolRunner } = require("@toolstile/core");
      import("@toolstile/core").then((core) => console.log(core.ToolRunner === ToolRunner));`;
    expect(run(text)).toBe("true\n");
  });

  it("loads nothing that exports does not name", () => {
    const text = `import("@toolstile/core/dist/index.js").catch(({ code }) => console.log(code));`;
    expect(run(text)).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED\n");
  });
});
