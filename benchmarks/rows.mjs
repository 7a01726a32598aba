/**
 * The files of the rows. Each file exports `rows`, and is read alone in the process that measures
 * one of them: what a row is measured with is loaded by its `setup`.
 *
 * A row has a `name`, a `goal`, what it is measured against as `reference: { unit, run }`, and
 * `setup()`, which looks whether the thing decides rightly and gives what is to be timed.
 *
 * - `difference`: the figure is what it takes beyond the reference, in nanoseconds.
 * - `bare`: the figure is what it adds to this, against what the reference adds to it (or to `reference.bare`).
 * - `before`: what goes before each turn, and is not counted.
 * - `callsPerTurn`: so many calls are one turn, and the figures are those of one call.
 * - `turns`: so many turns are a round; otherwise, as many as fill its time.
 * - `measure`: gives the figures itself.
 */
export const ourFiles = [
  "guarded-call",
  "after-a-wait",
  "ten-guards",
  "strict-parse",
  "schema",
  "allowlist",
  "rate-limit",
  "rules",
  "audit",
  "adapters",
  "engine",
  "engine-start",
  "mcp-proxy",
].map((name) => `./rows/${name}.mjs`);

/** The rows of other projects, around the same tool. */
export const peerFiles = ["./peers/rows.mjs"];
