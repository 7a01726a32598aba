import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const packages = new URL("../../", import.meta.url);
const core: { exports: Record<string, { "@toolstile/source": string }> } = JSON.parse(
  readFileSync(new URL("./core/package.json", packages), "utf8"),
);
const entered = filesEntered(new URL("schema/src/index.ts", packages));

describe("an import of @toolstile/schema", () => {
  it("enters nothing of core but errors, names, readers of options, verdicts and the statuses of calls", () => {
    const rooms = entered.flatMap((path) => /\/core\/src\/(\w+)\//u.exec(path)?.[1] ?? []);
    expect(entered.filter((path) => path.includes("/core/src/protocol/"))).toHaveLength(1);
    expect([...new Set(rooms)].toSorted()).toEqual([
      "errors",
      "guard",
      "json",
      "protocol",
      "provider",
    ]);
  });

  // Each costs half a millisecond at the start of a program.
  it("enters at most 75 files of Toolstile", () => {
    expect(entered.length).toBeGreaterThan(50);
    expect(entered.length).toBeLessThanOrEqual(75);
  });
});

/** Every file that is evaluated when this one is: what only types come from is left out by the compiler. */
function filesEntered(first: URL): string[] {
  const files = new Set([fileURLToPath(first)]);
  for (const path of files) {
    if (!path.endsWith(".ts")) continue;
    const text = readFileSync(path, "utf8");
    for (const [, from = ""] of text.matchAll(
      /^(?:import|export) (?!type )[^;]*? from "([^"]+)"/gmu,
    )) {
      const next = placeOf(from, path);
      if (next !== undefined) files.add(next);
    }
  }
  return [...files];
}

function placeOf(specifier: string, from: string): string | undefined {
  if (specifier.startsWith(".")) {
    return fileURLToPath(new URL(specifier.replace(/\.js$/u, ".ts"), `file://${from}`));
  }
  if (!specifier.startsWith("@toolstile/core")) return undefined;
  const entry = core.exports[`.${specifier.slice("@toolstile/core".length)}`];
  if (entry === undefined) throw new Error(`${specifier} is no entry of core`);
  return fileURLToPath(new URL(entry["@toolstile/source"], new URL("core/", packages)));
}
