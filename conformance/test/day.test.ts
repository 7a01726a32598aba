import { describe, expect, it } from "vitest";
import { grown } from "../../benchmarks/day/grown.mjs";

const look = { heap: 40e6, handles: 10, descriptors: 40, files: { approvals: 50, records: 4 } };
const day = (end: object) => ({ looks: [look, look, { ...look, ...end }] });

describe("the judgement of a day in one process", () => {
  it("finds nothing where the end is as the middle", () => {
    expect(grown(day({}))).toEqual([]);
  });

  it("takes for growth no descriptors that there were as many of before the middle", () => {
    const middle = { ...look, descriptors: 20 };
    expect(grown({ looks: [look, middle, look] })).toEqual([]);
  });

  it.each([
    ["heap", { heap: 60e6 }],
    ["handles", { handles: 20 }],
    ["descriptors", { descriptors: 50 }],
    ["approvals", { files: { approvals: 200, records: 4 } }],
  ])("finds %s that grew", (what, end) => {
    expect(grown(day(end))).toEqual([expect.stringContaining(what)]);
  });
});
