import type { CelFunc, CelInput, CelList } from "@bufbuild/cel";
import type { Cel } from "../load.js";
import type { Meter } from "../meter.js";

/** The names that no expression can write: `instrument` puts them into macros. */
export const macroNames = {
  range: "@range",
  pass: "@pass",
  none: "@none",
  append: "@append",
} as const;

/** Functions that meter the passes of a macro, and gather a list without copying it at each pass. */
export function macroFunctions(cel: Cel, meter: Meter): readonly CelFunc[] {
  const { celFunc, celList, isCelList, isCelMap } = cel;
  const { DYN, DOUBLE } = cel.CelScalar;
  const LIST = cel.listType(DYN);
  const gathered = new WeakMap<CelList, CelInput[]>();

  return [
    // The library copies the whole of it before the first pass.
    celFunc(macroNames.range, [DYN], DYN, (range) => {
      if (isCelList(range) || isCelMap(range)) meter.take(range.size / 4);
      return range;
    }),
    celFunc(macroNames.pass, [DYN, DOUBLE], DYN, (condition, units) => {
      meter.take(units);
      return condition;
    }),
    celFunc(macroNames.none, [], LIST, () => {
      const values: CelInput[] = [];
      const list = celList(values);
      gathered.set(list, values);
      return list;
    }),
    // No expression can name the list while it is gathered, so nobody sees that it grows.
    celFunc(macroNames.append, [LIST, DYN], LIST, (list, value) => {
      gathered.get(list)?.push(value);
      return list;
    }),
  ];
}
