import type { Clock } from "@toolstile/core";
import {
  func,
  nonEmptyText,
  type OptionsOf,
  type OptionTable,
  object,
  readOptions,
  such,
  systemClock,
} from "@toolstile/core/provider";
import type { Environment } from "./environment.js";
import type {
  GuardFileEvent,
  InspectGuardFileOptions,
  LoadGuardFileOptions,
  WatchGuardFileOptions,
} from "./guard-file.js";

const loadTable = {
  import: func<(specifier: string) => Promise<unknown>>(),
  env: object<Environment>(),
} satisfies OptionTable<LoadGuardFileOptions>;

const inspectTable = {
  ...loadTable,
  replacePlugin: func<(use: string, plugin: unknown) => unknown>(),
} satisfies OptionTable<InspectGuardFileOptions>;

const watchTable = {
  ...loadTable,
  onReload: func<(event: GuardFileEvent) => void>(
    "a function, which is told of changes",
  ).required(),
  intervalMs: such<number>(
    isInterval,
    "a positive number of milliseconds, up to 2147483647, or Infinity",
  ).default(1_000),
  clock: such<Clock>(isClock, "an object with now(), setTimeout() and clearTimeout()").default(
    systemClock,
  ),
} satisfies OptionTable<WatchGuardFileOptions>;

export type WatchOptions = OptionsOf<typeof watchTable>;

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`. */
export function loadOptions(
  where: string,
  path: unknown,
  options: unknown,
): OptionsOf<typeof loadTable> {
  requirePath(where, path);
  return readOptions(where, options, loadTable);
}

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`. */
export function inspectOptions(
  where: string,
  path: unknown,
  options: unknown,
): OptionsOf<typeof inspectTable> {
  requirePath(where, path);
  return readOptions(where, options, inspectTable);
}

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`. */
export function watchOptions(where: string, path: unknown, options: unknown): WatchOptions {
  requirePath(where, path);
  return readOptions(where, options, watchTable);
}

function requirePath(where: string, path: unknown): void {
  nonEmptyText("the path of a file").required().read(path, where, "path");
}

/** A timer that is set for longer fires at once. */
function isInterval(value: unknown): boolean {
  if (typeof value !== "number" || !(value > 0)) return false;
  return value === Number.POSITIVE_INFINITY || value <= 2 ** 31 - 1;
}

function isClock(value: unknown): boolean {
  const { now, setTimeout, clearTimeout } = value as Clock;
  return [now, setTimeout, clearTimeout].every((each) => typeof each === "function");
}
