import fc from "fast-check";
import { expect, it } from "vitest";
import { expiryOf, newApprovalId } from "../src/record/approval-id.js";
import { ExpiryQueue } from "../src/store/expiry-queue.js";

const step = fc.oneof(
  fc.record({ add: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ drop: fc.nat() }),
  fc.record({ until: fc.integer({ min: 0, max: 60 }) }),
);

/** Takes from the queue, and leaves out the ids that are not needed any more, of which there must be few. */
function taken(queue: ExpiryQueue, hasExpired: (id: string) => boolean, all: readonly string[]) {
  queue.trim(new Set(all));
  const ids = queue.take(hasExpired);
  expect(ids.length).toBeLessThan(2 * all.length + 64);
  return ids.filter((id) => all.includes(id));
}

it("gives all that has expired, in order and once, and nothing else", () => {
  const property = fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
    const queue = new ExpiryQueue();
    let all: string[] = [];
    for (const each of steps) {
      if ("add" in each) {
        const id = newApprovalId(each.add);
        queue.add(id);
        all.push(id);
      } else if ("drop" in each) {
        all = all.slice(0, each.drop % (all.length + 1));
      } else {
        const hasExpired = (id: string) => expiryOf(id) <= each.until;
        expect(taken(queue, hasExpired, all)).toEqual(all.filter(hasExpired).sort());
        all = all.filter((id) => !hasExpired(id));
      }
    }
    expect(taken(queue, () => true, all)).toEqual(all.sort());
  });
  fc.assert(property);
});
