import type { CelFunc, CelUint, CelValue } from "@bufbuild/cel";
import { ExpressionFault } from "../fault.js";
import type { Cel } from "../load.js";

const leastInt = -(2n ** 63n);
const mostInt = 2n ** 63n - 1n;
const mostUint = 2n ** 64n - 1n;

/** CEL's math extension, and the conversions of texts to numbers, which take decimal digits only. */
export function numberFunctions(cel: Cel): readonly CelFunc[] {
  const { celFunc, celUint, isCelUint, isCelList } = cel;
  const { BOOL, DOUBLE, DYN, INT, STRING, UINT } = cel.CelScalar;

  const plain = (value: CelValue): number | bigint => {
    const number = isCelUint(value) ? value.value : value;
    if (typeof number !== "bigint" && typeof number !== "number")
      throw new ExpressionFault("wrong_type");
    return number;
  };
  const extreme = (values: readonly CelValue[], better: (a: never, b: never) => boolean) => {
    const [first, ...others] = values;
    if (first === undefined) throw new ExpressionFault("invalid_argument");
    plain(first);
    return others.reduce(
      (best, each) => (better(plain(each) as never, plain(best) as never) ? each : best),
      first,
    );
  };
  const extremes = (name: string, better: (a: never, b: never) => boolean) => [
    celFunc(name, [DYN], DYN, (one) => extreme(isCelList(one) ? [...one] : [one], better)),
    ...[2, 3, 4, 5, 6, 7, 8].map((count) =>
      celFunc(name, new Array<typeof DYN>(count).fill(DYN), DYN, (...all: CelValue[]) =>
        extreme(all, better),
      ),
    ),
  ];
  const int = (value: bigint): bigint => {
    if (value < leastInt || value > mostInt) throw new ExpressionFault("overflow");
    return value;
  };
  const uint = (value: bigint): CelUint => {
    if (value < 0n || value > mostUint) throw new ExpressionFault("overflow");
    return celUint(value);
  };
  const rounding = (name: string, round: (value: number) => number) =>
    celFunc(`math.${name}`, [DOUBLE], DOUBLE, round);
  const bits = (name: string, join: (a: bigint, b: bigint) => bigint) => [
    celFunc(`math.${name}`, [INT, INT], INT, (a, b) => join(a, b)),
    celFunc(`math.${name}`, [UINT, UINT], UINT, (a, b) => celUint(join(a.value, b.value))),
  ];
  const shift = (name: string, move: (bits: bigint, by: bigint) => bigint) => [
    celFunc(`math.${name}`, [INT, INT], INT, (value, by) =>
      BigInt.asIntN(64, shifted(BigInt.asUintN(64, value), by, move)),
    ),
    celFunc(`math.${name}`, [UINT, INT], UINT, (value, by) =>
      celUint(shifted(value.value, by, move)),
    ),
  ];
  const digits = (text: string): bigint => {
    if (!/^[+-]?[0-9]{1,20}$/.test(text)) throw new ExpressionFault("invalid_argument");
    return BigInt(text.replace(/^\+/, ""));
  };

  return [
    ...extremes("math.greatest", (a, b) => a > b),
    ...extremes("math.least", (a, b) => a < b),
    rounding("ceil", Math.ceil),
    rounding("floor", Math.floor),
    rounding("trunc", Math.trunc),
    rounding("round", (value) => Math.sign(value) * Math.round(Math.abs(value))),
    celFunc("math.abs", [DOUBLE], DOUBLE, Math.abs),
    celFunc("math.abs", [INT], INT, (value) => int(value < 0n ? -value : value)),
    celFunc("math.abs", [UINT], UINT, (value) => value),
    celFunc("math.sign", [DOUBLE], DOUBLE, Math.sign),
    celFunc("math.sign", [INT], INT, (value) => (value > 0n ? 1n : value < 0n ? -1n : 0n)),
    celFunc("math.sign", [UINT], UINT, (value) => celUint(value.value > 0n ? 1n : 0n)),
    celFunc("math.isNaN", [DOUBLE], BOOL, Number.isNaN),
    celFunc("math.isInf", [DOUBLE], BOOL, (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
    celFunc("math.isFinite", [DOUBLE], BOOL, Number.isFinite),
    celFunc("math.sqrt", [DOUBLE], DOUBLE, Math.sqrt),
    celFunc("math.sqrt", [INT], DOUBLE, (value) => Math.sqrt(Number(value))),
    celFunc("math.sqrt", [UINT], DOUBLE, (value) => Math.sqrt(Number(value.value))),
    ...bits("bitAnd", (a, b) => a & b),
    ...bits("bitOr", (a, b) => a | b),
    ...bits("bitXor", (a, b) => a ^ b),
    celFunc("math.bitNot", [INT], INT, (value) => ~value),
    celFunc("math.bitNot", [UINT], UINT, (value) => celUint(BigInt.asUintN(64, ~value.value))),
    ...shift("bitShiftLeft", (value, by) => value << by),
    ...shift("bitShiftRight", (value, by) => value >> by),
    celFunc("int", [STRING], INT, (text) => int(digits(text))),
    celFunc("uint", [STRING], UINT, (text) => uint(digits(text))),
    celFunc("double", [STRING], DOUBLE, double),
  ];
}

/** Shifts 64 bits. By 64 or more, nothing is left of them. */
function shifted(value: bigint, by: bigint, move: (bits: bigint, by: bigint) => bigint): bigint {
  if (by < 0n) throw new ExpressionFault("invalid_argument");
  return by > 63n ? 0n : BigInt.asUintN(64, move(value, by));
}

const named: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["+inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["+infinity", Number.POSITIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);

function double(text: string): number {
  const name = text.length <= 9 ? named.get(text.toLowerCase()) : undefined;
  if (name !== undefined) return name;
  if (
    text.length > 400 ||
    !/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?$/.test(text)
  )
    throw new ExpressionFault("invalid_argument");
  return Number(text);
}
