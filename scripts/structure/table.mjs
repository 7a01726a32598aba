/** @typedef {import("./figures.mjs").Figure} Figure */

/**
 * The figures in aligned columns, those of an earlier commit before today's where there are any.
 *
 * @param {readonly Figure[]} now
 * @param {readonly Figure[] | undefined} before
 * @param {string | undefined} since
 */
export function tableOf(now, before, since) {
  const rows = rowsOf(now, before ?? []);
  const heads = before === undefined ? ["now"] : [String(since).slice(0, 12), "now", "change"];
  const cells = rows.map(({ group, name, was, is }) => ({
    group,
    name: `  ${name}`,
    numbers: before === undefined ? [written(is)] : [written(was), written(is), change(was, is)],
  }));
  const first = Math.max(...cells.flatMap(({ group, name }) => [group.length, name.length]));
  const widths = heads.map((head, index) =>
    Math.max(head.length, ...cells.map(({ numbers }) => numbers[index]?.length ?? 0)),
  );
  const line = (/** @type {string} */ name, /** @type {readonly string[]} */ numbers) =>
    [name.padEnd(first), ...numbers.map((each, index) => each.padStart(widths[index] ?? 0))]
      .join("  ")
      .trimEnd();
  const lines = [line("", heads)];
  let group = "";
  for (const each of cells) {
    if (each.group !== group) lines.push("", each.group);
    group = each.group;
    lines.push(line(each.name, each.numbers));
  }
  return `${lines.join("\n")}\n`;
}

/**
 * Each figure once, in today's order; one that there is no more comes last in its group.
 *
 * @param {readonly Figure[]} now
 * @param {readonly Figure[]} before
 */
function rowsOf(now, before) {
  const groups = [...new Set([...now, ...before].map(({ group }) => group))];
  return groups.flatMap((group) => {
    const of = (/** @type {readonly Figure[]} */ figures) =>
      new Map(
        figures.filter((each) => each.group === group).map(({ name, value }) => [name, value]),
      );
    const [is, was] = [of(now), of(before)];
    return [...new Set([...is.keys(), ...was.keys()])].map((name) => ({
      group,
      name,
      was: was.get(name),
      is: is.get(name),
    }));
  });
}

/** @param {number | undefined} value */
function written(value) {
  return value === undefined ? "–" : value.toLocaleString("en-US");
}

/**
 * @param {number | undefined} was
 * @param {number | undefined} is
 */
function change(was = 0, is = 0) {
  if (was === is) return "";
  const difference = is - was;
  const sign = difference > 0 ? "+" : "−";
  const share = was === 0 ? "" : ` (${sign}${Math.abs((100 * difference) / was).toFixed(0)} %)`;
  return `${sign}${Math.abs(difference).toLocaleString("en-US")}${share}`;
}
