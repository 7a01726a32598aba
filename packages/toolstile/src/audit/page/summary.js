import { binds, decisionsIn } from "./filter.js";

/** In the order in which they are stacked; any other status is `other`. */
export const statuses = ["executed", "failed", "withheld", "denied", "other"];
export const decisions = ["allow", "modify", "deny"];

export function statusGroup(status) {
  return statuses.includes(status) ? status : "other";
}

/** How many calls have each status, the most frequent first. */
export function byStatus(calls) {
  const counts = new Map();
  for (const { facts } of calls) counts.set(facts.status, (counts.get(facts.status) ?? 0) + 1);
  const rank = (status) => statuses.indexOf(statusGroup(status));
  return [...counts].sort(([one], [other]) => rank(one) - rank(other) || (one < other ? -1 : 1));
}

/** How often each key has each decision, the busiest first. */
function decided(calls, keyOf) {
  const groups = new Map();
  for (const call of calls) {
    for (const decision of decisionsIn(call.record)) {
      const index = decisions.indexOf(decision.decision);
      const key = keyOf(call, decision);
      if (index === -1 || key === undefined) continue;
      const counts = groups.get(key) ?? [0, 0, 0];
      counts[index]++;
      groups.set(key, counts);
    }
  }
  return [...groups]
    .map(([name, counts]) => ({ name, counts, total: counts[0] + counts[1] + counts[2] }))
    .sort((one, other) => other.total - one.total);
}

/** Of decisions that bind: others are about the provider, not about the tool. */
export function byTool(calls) {
  return decided(calls, ({ facts }, decision) => (binds(decision) ? facts.tool : undefined));
}

/** What does not bind stands for itself. */
export function byProvider(calls) {
  return decided(calls, (_, { provider, mode }) =>
    mode === undefined ? String(provider ?? "") : `${provider} (${mode})`,
  ).map((group) => ({ ...group, isAdvisory: / \((?:shadow|lifted)\)$/.test(group.name) }));
}

/** Denials that bound, by who said them and why. */
export function denials(calls) {
  const groups = new Map();
  for (const { record } of calls) {
    for (const each of decisionsIn(record)) {
      const { decision, provider, basis, code, reason } = each;
      // What an approver says of the denial of a guard is no further one.
      if (decision !== "deny" || basis === "approval" || !binds(each)) continue;
      const key = JSON.stringify([provider, code, reason]);
      const group = groups.get(key) ?? { provider, code, reason, count: 0 };
      group.count++;
      groups.set(key, group);
    }
  }
  return [...groups.values()].sort((one, other) => other.count - one.count);
}

const second = 1_000;
const widths = [
  0.001, 0.01, 0.1, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800,
  21_600, 43_200, 86_400, 172_800, 604_800, 1_209_600, 2_592_000, 7_776_000, 31_536_000,
];

/** The shortest round length of time of which not more than so many make the whole. */
export function roundWidth(duration, most) {
  const shortest = duration / most / second;
  const width = widths.find((each) => each >= shortest) ?? Math.ceil(shortest);
  return width * second;
}

/** Calls by time, in not more than so many equal parts of it. Undefined where no call has a time. */
export function overTime(calls, most) {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { facts } of calls) {
    if (facts.time === null) continue;
    first = Math.min(first, facts.time);
    last = Math.max(last, facts.time);
  }
  if (first > last) return undefined;
  const width = Math.max(roundWidth(last - first, Math.max(1, most - 1)), 1);
  const start = Math.floor(first / width) * width;
  const length = Math.floor((last - start) / width) + 1;
  const bins = Array.from({ length }, (_, index) => ({
    start: start + index * width,
    counts: statuses.map(() => 0),
    total: 0,
  }));
  for (const { facts } of calls) {
    if (facts.time === null) continue;
    const bin = bins[Math.floor((facts.time - start) / width)];
    bin.counts[statuses.indexOf(statusGroup(facts.status))]++;
    bin.total++;
  }
  return { start, width, bins, first, last, highest: Math.max(...bins.map(({ total }) => total)) };
}
