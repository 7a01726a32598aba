import { heapUsed } from "@toolstile/testing/heap";
import { expect, it } from "vitest";
import { memoryStore } from "../src/index.js";
import { newApprovalId } from "../src/record/approval-id.js";
import { KnownApprovals } from "../src/store/known-approvals.js";
import { asked, question } from "./questions.js";

const count = 20_000;
const day = 86_400_000;

it("P17 holds nothing in memory of what was withdrawn, long before its time is over", {
  tags: "long",
}, () => {
  const store = memoryStore();
  const turn = (): void => {
    const one = asked(question(), 0, day);
    store.add(one, { maxOpen: 2, now: 0 });
    store.withdraw(one.id);
  };
  turn();
  const before = heapUsed();
  for (let index = 0; index < count; index++) turn();
  expect(heapUsed() - before).toBeLessThan(count * 20);
});

it("P17 knows nothing of a folder's approvals any more whose files are deleted", {
  tags: "long",
}, () => {
  const known = new KnownApprovals();
  const fill = (expiresAt: number): void => {
    for (let index = 0; index < count; index++) {
      const id = newApprovalId(expiresAt);
      known.asked(id, { run: `run ${id}`, likeness: `alike ${id}`, call: `call ${id}` });
      if (index % 4 === 1) known.approved(id);
      if (index % 4 === 2) known.over(id, `call ${id}`);
      if (index % 4 === 3) known.ran(`${id.slice(0, 9)}-${newApprovalId(0).slice(10)}`);
    }
  };
  const before = heapUsed();
  for (let hour = 1; hour <= 3; hour++) {
    fill(hour * 3_600_000);
    expect(known.openAt(hour * 3_600_000)).toBe(0);
    expect(known.sweep((hour + 1) * 3_600_000, Number.POSITIVE_INFINITY).length).toBeGreaterThan(
      count,
    );
  }
  expect(heapUsed() - before).toBeLessThan(count * 50);
  expect(known.openAt(0)).toBe(0);
});
