import { plugin, rateLimit } from "@toolstile/rate-limit";
import { expect, it } from "vitest";

it("is named as its provider, and makes one from data", () => {
  const provider = plugin.create({ limit: 3, windowMs: 1_000 });
  expect([plugin.name, provider.name]).toEqual(["rate-limit", "rate-limit"]);
  expect(provider).toMatchObject({ limits: rateLimit({ limit: 3, windowMs: 1_000 }).limits });
});

it("has a schema that says every option but functions, and is JSON", () => {
  const { optionsSchema } = plugin;
  expect(JSON.parse(JSON.stringify(optionsSchema))).toEqual(optionsSchema);
  const said = Object.keys(optionsSchema.properties as object).sort();
  expect(said.join(" ")).toBe(
    "algorithm burst concurrency cost key limit limits maxKeys name reason windowMs",
  );
});

it("P5 refuses data that the options refuse", () => {
  expect(() => plugin.create({ limit: 3 })).toThrow("windowMs");
});
