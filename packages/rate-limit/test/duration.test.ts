import { expect, it } from "vitest";
import { roundedWait, spoken } from "../src/duration.js";

it.each([
  [0.2, 1],
  [999.5, 1_000],
  [1_000, 1_000],
  [1_001, 2_000],
  [120_000, 120_000],
  [120_001, 180_000],
  [172_800_000, 172_800_000],
  [172_800_001, 176_400_000],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])("a wait of %d ms is told as %d", (ms, rounded) => {
  expect(roundedWait(ms)).toBe(rounded);
});

it.each([
  [5, "5 ms"],
  [1_500, "1500 ms"],
  [60_000, "60 s"],
  [90_000, "90 s"],
  [120_000, "2 min"],
  [3_600_000, "60 min"],
  [86_400_000, "24 h"],
  [172_800_000, "2 days"],
  [176_400_000, "49 h"],
  [31_622_400_000, "366 days"],
])("%d ms is said as %s", (ms, words) => {
  expect(spoken(ms)).toBe(words);
});
