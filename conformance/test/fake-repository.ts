import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const licence = "the licence\n";

/** A repository of three packages on two floors that breaks no rule, on disk until disposed of. */
export class FakeRepository implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), "toolstile-architecture-"));

  constructor() {
    this.write("architecture.json", {
      floors: [
        { floor: 0, packages: ["core"] },
        { floor: 1, packages: ["gate", "testing"] },
        { floor: 2, packages: ["command"] },
      ],
      scope: "@fake/",
      unscoped: ["command"],
      forTestsOnly: ["testing"],
      withoutNodeBuiltins: ["packages/core/src/index.ts"],
      files: {
        required: ["LICENSE", "README.md", "package.json", "src", "test", "tsconfig.json"],
        permitted: ["dist"],
        entry: "src/index.ts",
        entryOf: { command: "src/cli.ts" },
      },
      lines: { warnAbove: 250, neverAbove: 400 },
    });
    this.write("package.json", { devDependencies: { runner: "1.0.0" } });
    this.write("tsconfig.json", references("core", "gate", "testing", "command"));
    this.write("LICENSE", licence);
    this.write(".gitignore", "dist\n*.log\n");
    this.write("pnpm-lock.yaml", "  left@1.0.0:\n    resolution: {integrity: sha512-abc==}\n");

    this.addPackage("core", { dependencies: { queue: "^1.2.3" } });
    this.write("packages/core/src/index.ts", 'export { run } from "./run.js";\n');
    this.write(
      "packages/core/src/run.ts",
      'import queue from "queue";\nexport const run = queue;\n',
    );
    this.write("packages/core/src/digest.ts", 'import { createHash } from "node:crypto";\n');
    this.addPackage("testing", { dependencies: { "@fake/core": "workspace:^" } }, "core");
    this.write("packages/testing/src/index.ts", 'import type { run } from "@fake/core";\n');
    this.addPackage(
      "gate",
      {
        dependencies: { "@fake/core": "workspace:^" },
        devDependencies: { "@fake/testing": "workspace:^" },
      },
      "core",
    );
    this.write("packages/gate/src/index.ts", 'export const core = import("@fake/core/digest");\n');
    this.write("packages/gate/test/gate.test.ts", 'import "@fake/testing";\nimport "runner/x";\n');
    this.addPackage("command", { dependencies: { "@fake/gate": "workspace:^" } }, "gate");
    this.write("packages/command/src/cli.ts", 'import "@fake/gate";\n');
  }

  write(path: string, content: string | object): void {
    const place = join(this.root, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, typeof content === "string" ? content : JSON.stringify(content));
  }

  /** Change the JSON of a file. */
  edit(path: string, change: (json: Record<string, Record<string, unknown>>) => void): void {
    const json = JSON.parse(readFileSync(join(this.root, path), "utf8"));
    change(json);
    this.write(path, json);
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true });
  }

  addPackage(folder: string, manifest: object, ...dependencies: readonly string[]): void {
    const path = `packages/${folder}`;
    const name = folder === "command" ? folder : `@fake/${folder}`;
    this.write(`${path}/package.json`, { name, ...manifest });
    this.write(`${path}/tsconfig.json`, references(...dependencies));
    this.write(`${path}/LICENSE`, licence);
    this.write(`${path}/README.md`, `# ${name}\n`);
    this.write(`${path}/test/empty.test.ts`, "");
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function references(...folders: readonly string[]): object {
  return { references: folders.map((folder) => ({ path: `../${folder}` })) };
}
