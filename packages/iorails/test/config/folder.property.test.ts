import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { RailsConfig } from "../../src/engine/rails-config.js";
import { makeFolder } from "./folder.js";

const name = fc
  .tuple(
    fc.constantFrom("", "a/", "a/b/", "B/"),
    fc.stringMatching(/^[a-zA-Z0-9-]{1,4}$/),
    fc.constantFrom(".yml", ".yaml"),
  )
  .map((parts) => parts.join(""))
  .filter((file) => !file.startsWith("kb/"));

const names = fc.uniqueArray(name, {
  minLength: 2,
  maxLength: 6,
  // Some file systems do not tell case apart.
  selector: (file) => file.toLowerCase(),
});

it("reads the same whatever order the files were made in", { tags: "longer" }, async () => {
  const orders = names.chain((files) =>
    fc.tuple(fc.constant(files), fc.shuffledSubarray(files, { minLength: files.length })),
  );
  await fc.assert(
    fc.asyncProperty(orders, async ([files, shuffled]) => {
      const sorted = [...files].sort();
      const text = (file: string): string =>
        JSON.stringify({
          models: [{ type: file, engine: "nim", model: "m" }],
          rails: { input: { flows: [`check ${sorted.indexOf(file)}`] } },
        });
      const read = async (order: readonly string[]) => {
        const made = await makeFolder(Object.fromEntries(order.map((file) => [file, text(file)])));
        const { data } = await RailsConfig.fromPath(made.path).finally(made.remove);
        return data;
      };
      const data = await read(files);
      expect(await read(shuffled)).toEqual(data);
      expect(data.models.map(({ type }) => type)).toEqual(sorted);
      expect(data.input.flows.map((flow) => flow.name)).toEqual(sorted.map((_, i) => `check ${i}`));
    }),
    { numRuns: inject("long") ? 30 : 8 },
  );
});
