import { describe, expect, it } from "vitest";
import type { RuleTime } from "../src/index.js";
import { saysOf } from "./ask.js";

const at = (time: RuleTime, iso: string) => saysOf({ time }, {}, {}, () => Date.parse(iso));
const day = { zone: "Europe/Berlin", from: "08:00", to: "18:00" };
const night = { zone: "Europe/Berlin", from: "22:00", to: "06:00" };
const workdays = ["monday", "tuesday", "wednesday", "thursday", "friday"];

describe("the time of a call", () => {
  it.each<[string, RuleTime, string, string]>([
    ["in winter", day, "2026-01-15T07:00:00Z", "true"],
    ["before it, in winter", day, "2026-01-15T06:59:59Z", "false"],
    ["in summer", day, "2026-07-15T06:00:00Z", "true"],
    ["at its end", day, "2026-07-15T16:00:00Z", "false"],
    ["just before its end", day, "2026-07-15T15:59:59Z", "true"],
    ["at night before midnight", night, "2026-01-15T22:00:00Z", "true"],
    ["at night after midnight", night, "2026-01-15T04:59:00Z", "true"],
    ["in the morning after", night, "2026-01-15T05:00:00Z", "false"],
    ["on Friday night", { ...night, weekdays: ["friday"] }, "2026-01-16T22:00:00Z", "true"],
    [
      "on Saturday morning, of Friday's night",
      { ...night, weekdays: ["friday"] },
      "2026-01-17T03:00:00Z",
      "true",
    ],
    [
      "on Friday morning, of Thursday's night",
      { ...night, weekdays: ["friday"] },
      "2026-01-16T03:00:00Z",
      "false",
    ],
    ["on a Sunday", { zone: "UTC", weekdays: workdays }, "2026-01-18T12:00:00Z", "false"],
    ["on a Monday", { zone: "UTC", weekdays: workdays }, "2026-01-19T00:00:00Z", "true"],
    [
      "on Monday there, Sunday here",
      { zone: "Pacific/Auckland", weekdays: ["monday"] },
      "2026-01-18T12:00:00Z",
      "true",
    ],
    ["all day", { zone: "UTC", from: "00:00", to: "00:00" }, "2026-01-18T23:59:59Z", "true"],
    [
      "in the hour that the clocks skip",
      { zone: "Europe/Berlin", from: "02:00", to: "03:00" },
      "2026-03-29T01:00:00Z",
      "false",
    ],
    [
      "in the hour that comes twice, first",
      { zone: "Europe/Berlin", from: "02:00", to: "03:00" },
      "2026-10-25T00:30:00Z",
      "true",
    ],
    [
      "in the hour that comes twice, again",
      { zone: "Europe/Berlin", from: "02:00", to: "03:00" },
      "2026-10-25T01:30:00Z",
      "true",
    ],
    [
      "after both",
      { zone: "Europe/Berlin", from: "02:00", to: "03:00" },
      "2026-10-25T02:00:00Z",
      "false",
    ],
    [
      "by half an hour's offset",
      { zone: "Asia/Kolkata", from: "05:30", to: "05:31" },
      "2026-01-18T00:00:30Z",
      "true",
    ],
  ])("%s is told", (_, time, iso, expected) => {
    expect(at(time, iso)).toBe(expected);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])("cannot be told at %s", (now) => {
    expect(saysOf({ time: day }, {}, {}, () => now)).toBe("untold");
  });

  it("is asked for at each call", () => {
    let now = Date.parse("2026-01-15T06:59:00Z");
    const clock = () => now;
    expect(saysOf({ time: day }, {}, {}, clock)).toBe("false");
    now += 60_000;
    expect(saysOf({ time: day }, {}, {}, clock)).toBe("true");
  });
});
