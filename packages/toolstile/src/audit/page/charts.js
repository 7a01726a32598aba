import { counted, drawn, element, mark, momentText, visible } from "./elements.js";
import { decisions, overTime, roundWidth, statuses } from "./summary.js";

const height = 190;
const space = { left: 44, right: 8, top: 10, bottom: 26 };

/** Calls over time, stacked by status, as wide as it may be. */
export function timeline(calls, width) {
  const inner = Math.max(120, width - space.left - space.right);
  const time = overTime(calls, Math.max(12, Math.min(72, Math.floor(inner / 12))));
  if (time === undefined) return element("p", { class: "empty" }, "No call with a time.");
  const { bins } = time;
  const top = niceTop(time.highest);
  const tall = height - space.top - space.bottom;
  const y = (value) => space.top + tall - (value / top) * tall;
  const step = inner / bins.length;
  const label = `${counted(calls.length, "call")} between ${momentText(time.first)} and ${momentText(time.last)} UTC; at most ${counted(time.highest)} in ${durationText(time.width)}.`;
  const svg = drawn("svg", {
    class: "timeline",
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": label,
  });
  for (const value of [0, top / 2, top].filter(Number.isInteger)) {
    svg.append(
      drawn("line", {
        class: "rule",
        x1: space.left,
        x2: width - space.right,
        y1: y(value),
        y2: y(value),
      }),
      drawn("text", { class: "tick end", x: space.left - 6, y: y(value) + 4 }, counted(value)),
    );
  }
  for (const [index, bin] of bins.entries()) {
    if (bin.total === 0) continue;
    const group = drawn("g", {}, drawn("title", {}, binText(bin, time.width)));
    const x = space.left + index * step;
    let below = 0;
    for (const [kind, count] of bin.counts.entries()) {
      if (count === 0) continue;
      const bottom = y(below);
      below += count;
      // What is rare must be seen beside what is frequent.
      const tallness = Math.max(1.5, bottom - y(below));
      group.append(
        drawn("rect", {
          class: statuses[kind],
          x: x + 0.5,
          y: bottom - tallness,
          width: Math.max(1, Math.min(step - 1, 40)),
          height: tallness,
        }),
      );
    }
    svg.append(group);
  }
  for (const { at, text } of timeTicks(time, Math.max(2, Math.floor(inner / 110)))) {
    const x = space.left + ((at - time.start) / (time.width * bins.length)) * inner;
    const isLast = x > width - 60;
    svg.append(
      drawn("line", { class: "rule", x1: x, x2: x, y1: y(0), y2: y(0) + 4 }),
      drawn("text", { class: isLast ? "tick end" : "tick", x, y: height - 6 }, text),
    );
  }
  return svg;
}

/** Names with their decisions as bars; `choose` is told of the one that is pressed. */
export function decisionBars(groups, most, choose) {
  if (groups.length === 0) return element("p", { class: "empty" }, "No decisions.");
  const highest = groups[0].total;
  const shown = groups.slice(0, most);
  const rows = shown.map(({ name, counts, total, isAdvisory }) => {
    const spoken = decisions.map((each, index) => `${each} ${counted(counts[index])}`);
    const advised = name.endsWith(" (lifted)") ? "lifted" : "would be denied";
    const denied = isAdvisory ? advised : "denied";
    const row = element(
      "button",
      {
        type: "button",
        class: "bar-row",
        "data-key": `bar:${name}`,
        title: spoken.join(", "),
        "aria-label": `${visible(name)}: ${spoken.join(", ")}. Show only these calls`,
      },
      element("span", { class: "bar-name" }, visible(name) || "(no name)"),
      element(
        "span",
        { class: "bar-count" },
        counts[2] > 0 ? `${counted(counts[2])} ${denied} of ${counted(total)}` : counted(total),
      ),
      bar(counts, highest, decisions, isAdvisory ? "bar advisory" : "bar"),
    );
    row.addEventListener("click", () => choose(name));
    return element("li", {}, row);
  });
  const rest = groups.length - shown.length;
  return element(
    "div",
    {},
    legend(decisions),
    element("ul", { class: "bars" }, ...rows),
    rest > 0 ? element("p", { class: "more" }, `and ${counted(rest, "other")}`) : undefined,
  );
}

/** One bar, in parts. */
export function bar(counts, highest, classes, name = "bar") {
  const svg = drawn("svg", {
    class: name,
    viewBox: "0 0 1000 10",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  svg.append(drawn("rect", { class: "groove", x: 0, y: 0, width: 1000, height: 10 }));
  let x = 0;
  for (const [index, count] of counts.entries()) {
    if (count === 0) continue;
    const width = Math.max(4, (count / highest) * 1000);
    svg.append(drawn("rect", { class: classes[index], x, y: 0, width, height: 10 }));
    x += width;
  }
  return svg;
}

export function legend(names) {
  return element(
    "p",
    { class: "legend" },
    ...names.map((name) => element("span", {}, mark(name), name)),
  );
}

/** The next round number whose half can be written, too. */
function niceTop(highest) {
  for (let power = 1; ; power *= 10) {
    for (const factor of [1, 2, 3, 4, 5, 6, 8]) {
      const top = factor * power;
      if (top >= highest && (top === 1 || top % 2 === 0)) return top;
    }
  }
}

function binText(bin, width) {
  const parts = statuses.map((each, index) => [each, bin.counts[index]]);
  const counts = parts
    .filter(([, count]) => count > 0)
    .map(([each, count]) => `${each} ${counted(count)}`);
  return `${momentText(bin.start).replace(/\.000$/, "")}, ${durationText(width)}: ${counts.join(", ")}`;
}

function timeTicks({ start, width, bins }, most) {
  const end = start + width * bins.length;
  const step = roundWidth(end - start, most);
  const ticks = [];
  for (let at = Math.ceil(start / step) * step; at < end; at += step) {
    const text = momentText(at);
    const isDay = step >= 86_400_000 || text.slice(11, 23) === "00:00:00.000";
    ticks.push({
      at,
      text: isDay
        ? text.slice(5, 10)
        : step >= 60_000
          ? text.slice(11, 16)
          : step >= 1_000
            ? text.slice(11, 19)
            : text.slice(14),
    });
  }
  return ticks;
}

export function durationText(milliseconds) {
  const units = [
    ["day", 86_400_000],
    ["hour", 3_600_000],
    ["minute", 60_000],
    ["second", 1_000],
  ];
  const [unit, length] = units.find(([, each]) => milliseconds % each === 0) ?? ["ms", 1];
  const count = milliseconds / length;
  return unit === "ms" ? `${count} ms` : counted(count, unit);
}
