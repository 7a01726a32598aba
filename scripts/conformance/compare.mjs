/** @typedef {{ id: string, status: string, errorMessage?: string }} Check One of a scenario's `checks.json`. */
/** @typedef {ReadonlyMap<string, readonly Check[]>} Run The checks of each scenario that ran. */
/** @typedef {{ name: string, run?: Run, error?: string }} Way A way to the server, and what the suite said of it. */
/** @typedef {{ scenario: string, check: string, directly: string, guarded: string }} Difference */

/**
 * What is wrong with a suite's runs; nothing if each way ends as the first does, which is without guards.
 *
 * @param {readonly Way[]} ways
 * @param {(scenario: string) => boolean} mayFail Is the scenario about what the server does not have?
 * @returns {string[]}
 */
export function judge([direct, ...others], mayFail) {
  const all = [direct, ...others];
  const problems = all.flatMap((way) =>
    way?.error === undefined ? [] : [`${way.name}: ${way.error}`],
  );
  if (direct?.run === undefined) return problems;
  problems.push(...faultsOf(direct.run, mayFail).map((fault) => `${direct.name}: ${fault}`));
  for (const { name, run } of others) {
    const rows = run === undefined ? [] : differences(direct.run, run);
    if (rows.length > 0) problems.push(`differences: ${rows.length}\n${table(rows, name)}`);
  }
  return problems;
}

/** @param {readonly Way[]} ways that have no problems. */
export function summarise([direct, ...others]) {
  const checks = [...(direct?.run?.values() ?? [])].flat();
  const succeeded = checks.filter(({ status }) => status === "SUCCESS").length;
  const names = others.map(({ name }) => name).join(" and ");
  return `${direct?.run?.size} scenarios, ${succeeded} checks succeed ${direct?.name}; all end alike ${names}`;
}

/**
 * What a suite says otherwise of a guarded server than of the same server without guards.
 *
 * @param {Run} directly
 * @param {Run} guarded
 * @returns {Difference[]}
 */
function differences(directly, guarded) {
  const found = [];
  for (const scenario of union(directly.keys(), guarded.keys())) {
    const before = statuses(directly.get(scenario));
    const after = statuses(guarded.get(scenario));
    for (const check of union(before.keys(), after.keys())) {
      const row = { directly: before.get(check) ?? "–", guarded: after.get(check) ?? "–" };
      if (row.directly !== row.guarded) found.push({ scenario, check, ...row });
    }
  }
  return found;
}

/**
 * Why a run without guards is nothing to compare with. Equal runs say nothing if the server itself is broken.
 *
 * @param {Run} run
 * @param {(scenario: string) => boolean} mayFail
 */
function faultsOf(run, mayFail) {
  const faults = [];
  const succeeded = [...run.values()].flat().some(({ status }) => status === "SUCCESS");
  if (!succeeded) faults.push(run.size === 0 ? "no scenario ran" : "no check succeeded");
  for (const [scenario, checks] of run) {
    if (checks.length === 0) faults.push(`${scenario}: no check ran`);
    if (mayFail(scenario)) continue;
    for (const { id, status, errorMessage } of checks) {
      if (status === "FAILURE") faults.push(`${scenario}: ${id} fails: ${errorMessage}`);
    }
  }
  return faults;
}

/**
 * @param {readonly Difference[]} rows
 * @param {string} guardedBy
 */
function table(rows, guardedBy) {
  const heads = ["scenario", "check", "directly", guardedBy];
  const lines = [heads, ...rows.map((row) => [row.scenario, row.check, row.directly, row.guarded])];
  const widths = heads.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? "").length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/**
 * The statuses of each check. Notes about the traffic depend on how it was cut into pieces, so only
 * that there were some counts.
 *
 * @param {readonly Check[] | undefined} checks
 */
function statuses(checks = []) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const { id, status } of checks) {
    const known = found.get(id) ?? [];
    if (status !== "INFO" || !known.includes(status)) found.set(id, [...known, status]);
  }
  return new Map([...found].map(([id, each]) => [id, each.sort().join(", ")]));
}

/**
 * @param {Iterable<string>} some
 * @param {Iterable<string>} others
 */
function union(some, others) {
  return [...new Set([...some, ...others])];
}
