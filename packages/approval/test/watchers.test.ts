import { expect, it } from "vitest";
import { Watchers } from "../src/store/watchers.js";

it("wakes those who wait for one approval, all where it is not known which, and none who left", () => {
  const watchers = new Watchers();
  const woken: string[] = [];
  const stops = ["a", "b", "b", "c"].map((id, index) =>
    watchers.add(id, () => woken.push(`${id}${index}`)),
  );
  const wokenBy = (id: string | undefined) => {
    watchers.wake(id);
    return woken.splice(0);
  };
  expect(watchers.size).toBe(3);
  expect(wokenBy("b")).toEqual(["b1", "b2"]);
  expect(wokenBy("d")).toEqual([]);
  expect(wokenBy(undefined)).toEqual(["a0", "b1", "b2", "c3"]);
  stops[1]?.();
  expect(wokenBy("b")).toEqual(["b2"]);
  for (const stop of stops) stop();
  expect([wokenBy("b"), wokenBy(undefined), watchers.size]).toEqual([[], [], 0]);
});
