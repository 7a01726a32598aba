import { readFileSync } from "node:fs";
import { RailsConfig } from "@toolstile/iorails";
import { describe, expect, it, vi } from "vitest";
import { placeOf, unlike, withFlow, withKey } from "../compatibility/configurations.mjs";
import {
  examples,
  flows,
  flowVerdict,
  keys,
  keyVerdict,
  load,
  options,
  optionVerdict,
  page,
  written,
} from "../compatibility/page.mjs";

/** The data that the engine keeps of a configuration with this value of a key. */
async function leftOf(key: string, value: unknown): Promise<object> {
  const { data } = await RailsConfig.fromContent({ config: withKey(key, value) });
  return { ...data, configKeys: [] };
}

describe("docs/iorails-compatibility.md", () => {
  it("says what the engine does today", { tags: "long", timeout: 300_000 }, async () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const stale = "Run: node conformance/compatibility/page.mjs --write";
    expect(readFileSync(page, "utf8"), stale).toBe(await written());
    warned.mockRestore();
  });

  it.each(flows)("has for $flow what is so", async (row) => {
    const verdict = await flowVerdict(row);
    const found = await load(withFlow(row));
    expect(found.loads).toBe(verdict === "runs");
    if (found.loads) return;
    expect(found.code).toBe("ERR_UNSUPPORTED");
    expect(found.reason).toContain(row.section === "retrieval" ? "['retrieval']" : row.flow);
  });

  it.each(keys)("has for $key what is so", async (row) => {
    const { key, value, effect } = row;
    const verdict = await keyVerdict(row);
    const wrong = await load(withKey(key, unlike(value)));
    const isChecked = effect !== "unchecked" && verdict !== "not read" && verdict !== "error";
    if (isChecked && verdict !== "refused by name") {
      expect(wrong.loads ? "" : wrong.reason).toContain(placeOf(key));
    }
    // Whatever stands there, the same is left of it.
    if (verdict === "not read")
      expect(await leftOf(key, unlike(value))).toEqual(await leftOf(key, value));
  });

  it.each(options)("has for the option $option what is so", async ({ option, value }) => {
    const verdict = await optionVerdict({ option, value });
    const other = await optionVerdict({ option, value: verdict === "error" ? false : 7 });
    expect(other).toBe(verdict === "error" ? "read" : "error");
  });

  it("names each flow and each key once", () => {
    const names = [...flows.map(({ flow }) => flow), ...keys.map(({ key }) => key)];
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(examples.filter(({ ours }) => ours === "runs"))(
    "says of $folder that it runs, and all of its flows run",
    async ({ flows: used }) => {
      for (const name of used) {
        const row = flows.find(({ flow }) => flow === name);
        expect(row && (await flowVerdict(row)), name).toBe("runs");
      }
    },
  );

  it.each(examples.filter(({ nemo, ours }) => nemo === "runs" && ours !== "runs"))(
    "says why $folder does not run here: it needs a vendor",
    async ({ because, flows: used }) => {
      const needed = flows.filter(({ flow }) => used.includes(flow));
      const vendors = needed.flatMap(({ vendor }) => vendor ?? []);
      const named = vendors.length > 0 ? vendors : ["Pinecone"];
      expect(named.some((vendor) => because?.includes(vendor))).toBe(true);
    },
  );
});
