import { existsSync, readdirSync, readFileSync } from "node:fs";
import { it } from "vitest";
import { compile } from "../src/compile.js";
import { explain } from "../src/inadmissible.js";
import { plainCopy } from "../src/plain-copy.js";

const base = "/work/shared/data/json-schema-test-suite/tests/";
it("suite", () => {
  for (const [dir, draft] of [
    ["draft4", "draft-04"],
    ["draft6", "draft-06"],
    ["draft7", "draft-07"],
    ["draft2019-09", "2019-09"],
    ["draft2020-12", "2020-12"],
  ] as const) {
    let n = 0,
      bad = 0,
      refused = 0;
    for (const f of readdirSync(base + dir + "/optional").filter((f) => f.endsWith(".json")))
      for (const g of JSON.parse(readFileSync(base + dir + "/optional/" + f, "utf8"))) {
        let c;
        try {
          c = compile(plainCopy(g.schema).value, { defaultDraft: draft, maxPatternInput: 65536 });
        } catch (e) {
          refused++;
          console.log(
            dir,
            f,
            g.description,
            "REFUSED",
            explain(e),
            e.pointer === undefined ? e.stack.slice(0, 300) : "",
          );
          continue;
        }
        for (const t of g.tests) {
          n++;
          const v = c.check(t.data);
          if ((v === undefined) !== t.valid) {
            bad++;
            console.log(dir, f, g.description, "|", t.description, "expected", t.valid, v?.message);
          }
        }
      }
    console.log(dir, "ran", n, "bad", bad, "refused groups", refused);
  }
});
