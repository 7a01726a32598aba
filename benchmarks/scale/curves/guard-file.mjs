import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadGuardFile, watchGuardFile } from "@toolstile/config";
import { readYaml } from "@toolstile/config/yaml";

const importModule = (specifier) => import(specifier);

function text(n, limit = () => 5) {
  const entry = (at) =>
    `  - use: "@toolstile/rate-limit"
    with: { name: "limit-${at}", limit: ${limit(at)}, windowMs: 60000 }
    tools: [search]
`;
  return `version: 1\nguards:\n${Array.from({ length: n }, (_, at) => entry(at)).join("")}`;
}

function written(content) {
  const folder = mkdtempSync(join(tmpdir(), "guard-file-"));
  const path = join(folder, "guard.yaml");
  writeFileSync(path, content);
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}

/** @type {import("../curves.mjs").Curve[]} */
export const curves = [
  {
    name: "loading a guard.yaml, and closing it",
    against: "guards",
    growth: "n",
    sizes: [10, 100, 1_000, 5_000],
    checked: [100, 1_000],
    at(n) {
      const { path, remove } = written(text(n));
      return {
        run: async () => (await loadGuardFile(path, { import: importModule })).close(),
        close: remove,
      };
    },
  },
  {
    name: "reloading a guard.yaml of which one entry has changed",
    against: "guards",
    growth: "n",
    sizes: [10, 100, 1_000, 5_000],
    checked: [100, 1_000],
    async at(n) {
      const { path, remove } = written(text(n));
      const told = (event) => {
        if (event.status !== "reloaded") throw event.error;
      };
      const options = {
        import: importModule,
        intervalMs: Number.POSITIVE_INFINITY,
        onReload: told,
      };
      const file = await watchGuardFile(path, options);
      let turn = 5;
      return {
        before: () =>
          writeFileSync(
            path,
            text(n, (at) => (at === n >> 1 ? ++turn : 5)),
          ),
        run: async () => {
          const { status } = await file.reload();
          if (status !== "reloaded") throw new Error(status);
        },
        close: async () => {
          await file.close();
          remove();
        },
      };
    },
  },
  {
    name: "refusing a guard.yaml",
    against: "faults in it",
    growth: "n",
    sizes: [10, 100, 1_000],
    checked: [100, 1_000],
    at(n) {
      const { path, remove } = written(text(n).replaceAll("windowMs", "windowMS"));
      return {
        run: () => loadGuardFile(path, { import: importModule }).catch(() => undefined),
        close: remove,
      };
    },
  },
  {
    name: "reading YAML",
    against: "values and keys",
    growth: "n",
    sizes: [100, 1_000, 10_000, 19_000],
    checked: [1_000, 10_000],
    at(n) {
      const yaml = `a: [${"1, ".repeat(n)}]`;
      return { run: () => readYaml(yaml) };
    },
  },
];
