import { type OptionTable, optionError, readOptions, such, whole } from "@toolstile/core/provider";

/** Milliseconds of CPU that the fixed work takes where nothing else runs, on the machine by which bounds are set: two virtual cores of an AMD EPYC. */
const quietMs = 8;

export interface LeastCpuOptions {
  /** The least is not looked for any further once a run takes no more than this. Default 0. */
  readonly enoughMs?: number;
  /** The most runs. Default 6. */
  readonly tries?: number;
}

const leastCpuOptions = {
  enoughMs: such<number>(
    (value) => Number.isFinite(value) && Number(value) >= 0,
    "a number of at least 0",
  ).default(0),
  tries: whole(1).default(6),
} satisfies OptionTable<LeastCpuOptions>;

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION` */
function checked(where: string, run: unknown, options: unknown) {
  if (typeof run !== "function") throw optionError(where, "run", "a function", run);
  return readOptions(where, options, leastCpuOptions);
}

/** Returns the least CPU time of several runs, in milliseconds. Two such times can be compared: what else the machine does only adds to either. */
export async function leastCpuMs(
  run: () => unknown,
  options: LeastCpuOptions = {},
): Promise<number> {
  const { enoughMs, tries } = checked("leastCpuMs()", run, options);
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < tries && least > enoughMs; time++) {
    least = Math.min(least, await cpuMs(run));
  }
  return least;
}

/**
 * Returns the same in milliseconds of a machine that does nothing else, for a bound that holds on any machine.
 *
 * A machine that is slower or busier needs more CPU time for all it does. Each run but the first is
 * therefore compared with fixed work just before it. The time of all threads of the process counts.
 */
export async function quietCpuMs(
  run: () => unknown,
  options: LeastCpuOptions = {},
): Promise<number> {
  const { enoughMs, tries } = checked("quietCpuMs()", run, options);
  let least = await cpuMs(run);
  for (let time = 1; time < tries && least > enoughMs; time++) {
    const slower = Math.max(1, (await cpuMs(fixedWork)) / quietMs);
    least = Math.min(least, (await cpuMs(run)) / slower);
  }
  return least;
}

async function cpuMs(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Work of the kinds that reading and checking consist of: texts, maps, small objects. */
function fixedWork(): number {
  const words = new Map(Array.from({ length: 20_000 }, (_, index) => [`word ${index}`, index]));
  return JSON.parse(JSON.stringify([...words])).length;
}
