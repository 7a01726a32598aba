import { describe, expect, it } from "vitest";
import { caseIds, cases } from "../parity/cases.js";
import { page } from "../parity/page.js";
import type { ParityCase } from "../parity/parity-case.js";
import { Scene } from "../parity/scene.js";
import { seams } from "../parity/seams.js";

for (const seam of seams) {
  describe(seam.name, { tags: seam.isOlder === true ? "long" : [] }, () => {
    for (const id of caseIds) {
      const { claim, holds, neverRuns = [] }: ParityCase = cases[id];
      if (seam.cannot[id] === undefined) {
        it(`P11 ${claim}`, () => holds(new Scene(), seam));
        continue;
      }
      it(`P11 says why it does not do this, and runs nothing that must not run: ${claim}`, async () => {
        const scene = new Scene();
        await expect(holds(scene, seam)).rejects.toThrow();
        for (const name of neverRuns) expect(scene.ranNames).not.toContain(name);
        // Whatever did run is what the guards of the scene, where they were asked, said yes to.
        const judged = scene.asked.map(({ tool, args }) => ({ name: tool, args }));
        if (judged.length > 0) for (const each of scene.ran) expect(judged).toContainEqual(each);
      });
    }
  });
}

describe("docs/parity.md", () => {
  it("says what each seam holds, and why where one cannot", async () => {
    await expect(page(seams)).toMatchFileSnapshot("../../docs/parity.md");
  });
});
