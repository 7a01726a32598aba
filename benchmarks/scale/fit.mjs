// How a cost grows with what an operator has: fitted to measured points.

/**
 * @typedef {{ n: number, value: number }} Point
 * @typedef {"constant" | "log n" | "n" | "n log n" | "n²"} Growth
 */

/** @type {Record<Growth, (n: number) => number>} */
const shapes = {
  constant: () => 0,
  "log n": (n) => Math.log2(n + 1),
  n: (n) => n,
  "n log n": (n) => n * Math.log2(n + 1),
  "n²": (n) => n * n,
};

/** The growths, the slowest first. */
const growths = /** @type {Growth[]} */ (Object.keys(shapes));

/**
 * The exponents that a growth may show, over all points and between the last two: those of the exact shape, and
 * some more for caches of the processor that a larger state leaves.
 *
 * @type {Record<Growth, number>}
 */
const exponentsAllowed = {
  constant: 0.35,
  "log n": 0.45,
  n: 1.25,
  "n log n": 1.4,
  "n²": 2.3,
};

/**
 * Finds the slowest growth that describes the points as well as any other, nearly: y = a + b·f(n), a and b not
 * below 0, by least squares of the relative errors.
 *
 * @param {readonly Point[]} points
 * @returns {Growth}
 */
export function growthOf(points) {
  const errors = growths.map((growth) => ({ growth, error: errorOf(points, shapes[growth]) }));
  const least = Math.min(...errors.map(({ error }) => error));
  return /** @type {{ growth: Growth }} */ (errors.find(({ error }) => error <= least * 1.5 + 0.05))
    .growth;
}

/**
 * The exponent of n in the cost: over all points, and between the last two, where a cliff shows.
 *
 * @param {readonly Point[]} points
 */
export function exponents(points) {
  const logs = points.map(({ n, value }) => ({
    x: Math.log(n),
    y: Math.log(Math.max(value, 1e-9)),
  }));
  const mean = (/** @type {number[]} */ values) =>
    values.reduce((sum, each) => sum + each, 0) / values.length;
  const [x, y] = [mean(logs.map((each) => each.x)), mean(logs.map((each) => each.y))];
  const across = logs.reduce((sum, each) => sum + (each.x - x) ** 2, 0);
  const along = logs.reduce((sum, each) => sum + (each.x - x) * (each.y - y), 0);
  const [before, last] = logs.slice(-2);
  if (before === undefined || last === undefined) throw new Error("A curve must have two points.");
  return { all: along / across, tail: (last.y - before.y) / (last.x - before.x) };
}

/**
 * Says in what the points grow faster than they may, or nothing.
 *
 * @param {readonly Point[]} points
 * @param {Growth} growth
 * @returns {string | undefined}
 */
export function tooSteep(points, growth) {
  const allowed = exponentsAllowed[growth];
  const { all, tail } = exponents(points);
  // A step between two points is noisier than a line through all of them.
  if (all > allowed) return `grows as n^${all.toFixed(2)}, allowed is n^${allowed}`;
  if (tail > allowed + 0.35)
    return `ends with n^${tail.toFixed(2)}, allowed is n^${(allowed + 0.35).toFixed(2)}`;
  return undefined;
}

/**
 * @param {readonly Point[]} points
 * @param {(n: number) => number} shape
 */
function errorOf(points, shape) {
  // Weighted by 1/y²: minimise Σ((a + b·f)/y − 1)².
  const rows = points.map(({ n, value }) => ({ one: 1 / value, f: shape(n) / value }));
  const sum = (/** @type {(row: { one: number, f: number }) => number} */ of) =>
    rows.reduce((total, row) => total + of(row), 0);
  const [aa, ab, bb] = [sum((r) => r.one * r.one), sum((r) => r.one * r.f), sum((r) => r.f * r.f)];
  const [ya, yb] = [sum((r) => r.one), sum((r) => r.f)];
  const determinant = aa * bb - ab * ab;
  const candidates = [
    { a: ya / aa, b: 0 },
    ...(bb > 0 ? [{ a: 0, b: yb / bb }] : []),
    ...(determinant > 1e-12 * aa * bb
      ? [{ a: (ya * bb - yb * ab) / determinant, b: (yb * aa - ya * ab) / determinant }]
      : []),
  ].filter(({ a, b }) => a >= 0 && b >= 0);
  return Math.min(
    ...candidates.map(({ a, b }) =>
      Math.sqrt(sum((r) => (a * r.one + b * r.f - 1) ** 2) / rows.length),
    ),
  );
}
