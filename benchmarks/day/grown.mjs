/** @typedef {{ heap: number, handles: number, descriptors: number, files: Record<string, number> }} Look */

/**
 * What the process has more of at the end of the day than in its middle: a sentence each.
 *
 * Up to the middle, tables that grow with use may still grow. After it, only noise is allowed.
 *
 * @param {{ looks: readonly Look[] }} day
 * @returns {string[]}
 */
export function grown({ looks }) {
  const [middle, end] = [looks[looks.length >> 1], looks[looks.length - 1]];
  if (middle === undefined || end === undefined) throw new Error("A day must have looks.");
  // Connections that are kept open for a while are many at one look, and few at another.
  const descriptors = Math.max(
    ...looks.slice(0, (looks.length >> 1) + 1).map((look) => look.descriptors),
  );
  /** @type {["heap" | "handles" | "descriptors", number][]} */
  const bounds = [
    ["heap", middle.heap * 1.1 + 4e6],
    ["handles", middle.handles + 4],
    ["descriptors", descriptors + 4],
  ];
  return [
    ...bounds
      .filter(([what, most]) => end[what] > most)
      .map(
        ([what]) =>
          `At the end there is more of ${what}: ${end[what]}, in the middle ${middle[what]}.`,
      ),
    ...Object.keys(end.files)
      .filter((part) => files(end, part) > files(middle, part) * 1.2 + 20)
      .map(
        (part) =>
          `At the end there are more files of ${part}: ${files(end, part)}, in the middle ${files(middle, part)}.`,
      ),
  ];
}

/**
 * @param {Look} look
 * @param {string} part
 */
const files = (look, part) => look.files[part] ?? 0;
