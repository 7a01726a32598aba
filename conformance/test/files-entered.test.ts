import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const packages = new URL("../../packages/", import.meta.url);

describe("an import of a package of guards", () => {
  // Each file costs half a millisecond at the start of a program.
  it.each([
    ["allowlist", 35],
    ["rate-limit", 50],
    ["redact", 96],
    ["containment", 55],
    ["result-linkage", 50],
    ["approval", 75],
    ["audit-log", 110],
    ["schema", 90],
  ])("enters nothing that runs tools or combines guards: %s, at most %i files", (name, most) => {
    const entered = filesEntered(entryOf(`@toolstile/${name}`));
    const rooms = entered.flatMap((path) => /\/core\/src\/(\w+)\//u.exec(path)?.[1] ?? []);
    expect(rooms).toContain("provider");
    for (const room of ["tool", "run", "runner", "workbench", "host"]) {
      expect(rooms).not.toContain(room);
    }
    expect(entered.length).toBeLessThanOrEqual(most);
    expect(entered.filter((path) => path.includes("/core/src/")).length).toBeLessThan(40);
  });
});

/** Every file that is evaluated when this one is: what only types come from is left out by the compiler. */
function filesEntered(first: string): string[] {
  const files = new Set([first]);
  for (const path of files) {
    if (!path.endsWith(".ts")) continue;
    const text = readFileSync(path, "utf8");
    for (const [, from = ""] of text.matchAll(
      /^(?:import|export) (?!type )[^;]*? from "([^"]+)"/gmu,
    )) {
      if (from.startsWith(".")) {
        files.add(fileURLToPath(new URL(from.replace(/\.js$/u, ".ts"), `file://${path}`)));
      } else if (from.startsWith("@toolstile/")) {
        files.add(entryOf(from));
      }
    }
  }
  return [...files];
}

/** The source file of an entry of one of our packages. */
function entryOf(specifier: string): string {
  const [, name = "", ...rest] = specifier.split("/");
  const manifest: { exports: Record<string, { "@toolstile/source": string }> } = JSON.parse(
    readFileSync(new URL(`${name}/package.json`, packages), "utf8"),
  );
  const entry = manifest.exports[[".", ...rest].join("/")];
  if (entry === undefined) throw new Error(`${specifier} is no entry`);
  return fileURLToPath(new URL(`${name}/${entry["@toolstile/source"]}`, packages));
}
