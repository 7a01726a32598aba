import { describe, expect, it } from "vitest";
import { type Check, judge, summarise } from "../../scripts/conformance/compare.mjs";

type Statuses = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

/** A run, written as the status of each check of each scenario. */
function runOf(scenarios: Statuses): Map<string, Check[]> {
  return new Map(
    Object.entries(scenarios).map(([scenario, checks]) => [
      scenario,
      Object.entries(checks).flatMap(([id, statuses]) =>
        [statuses].flat().map((status) => ({ id, status, errorMessage: "why" })),
      ),
    ]),
  );
}
const judged = (direct: Statuses, proxied: Statuses) =>
  judge(
    [
      { name: "directly", run: runOf(direct) },
      { name: "behind the proxy", run: runOf(proxied) },
    ],
    (scenario) => scenario.startsWith("tasks-"),
  );

const well = { ping: { ping: "SUCCESS" }, list: { form: "SUCCESS", names: "SUCCESS" } };

describe("the runs of MCP's conformance suites", () => {
  it("have no problem where each check ends alike, whatever the order and the notes on traffic", () => {
    const direct = { ...well, sse: { event: ["INFO", "INFO"], resume: ["SUCCESS", "WARNING"] } };
    const proxied = { sse: { resume: ["WARNING", "SUCCESS"], event: "INFO" }, ...well };
    expect(judged(direct, proxied)).toEqual([]);
  });

  it("are told apart check by check, in a table", () => {
    const proxied = { ping: { ping: "SUCCESS" }, list: { form: "FAILURE", names: "SUCCESS" } };
    expect(judged(well, proxied)).toEqual([
      [
        "differences: 1",
        "scenario  check  directly  behind the proxy",
        "list      form   SUCCESS   FAILURE",
      ].join("\n"),
    ]);
  });

  it.each<[string, Statuses, string]>([
    [
      "a scenario did not run behind the proxy",
      { ping: well.ping },
      "list      names  SUCCESS   –",
    ],
    [
      "a scenario ran only there",
      { ...well, more: { a: "SUCCESS" } },
      "more      a      –         SUCCESS",
    ],
    [
      "a check is repeated with another end",
      { ...well, ping: { ping: ["SUCCESS", "FAILURE"] } },
      "FAILURE, SUCCESS",
    ],
    ["a check is only skipped", { ...well, ping: { ping: "SKIPPED" } }, "SUCCESS   SKIPPED"],
    ["a check became a note", { ...well, ping: { ping: "INFO" } }, "SUCCESS   INFO"],
    ["nothing ran there", {}, "differences: 3"],
  ])("differ if %s", (_, proxied, told) => {
    const problems = judged(well, proxied);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(told);
  });

  it("are nothing to compare if no scenario ran, or none succeeded", () => {
    expect(judged({}, {})).toEqual(["directly: no scenario ran"]);
    const skipped = { ping: { ping: "SKIPPED" }, list: {} };
    expect(judged(skipped, skipped)).toEqual([
      "directly: no check succeeded",
      "directly: list: no check ran",
    ]);
  });

  it("are nothing to compare if the server fails by itself, except at what it does not have", () => {
    const failing = { ...well, "tasks-get": { get: "FAILURE" } };
    expect(judged(failing, failing)).toEqual([]);
    const broken = { ...failing, call: { text: "FAILURE" } };
    expect(judged(broken, broken)).toEqual(["directly: call: text fails: why"]);
  });

  it("have a problem for each way that came to no end, and are summed up without one", () => {
    const direct = { name: "directly", run: runOf(well) };
    const stuck = { name: "within guardServer", error: "the suite did not end" };
    expect(judge([direct, stuck], () => false)).toEqual([
      "within guardServer: the suite did not end",
    ]);
    expect(judge([{ name: "directly", error: "no server" }, direct], () => false)).toEqual([
      "directly: no server",
    ]);
    expect(summarise([direct, { ...direct, name: "behind the proxy" }])).toBe(
      "2 scenarios, 3 checks succeed directly; all end alike behind the proxy",
    );
  });
});
