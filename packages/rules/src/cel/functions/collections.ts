import type { CelFunc, CelInput, CelList, CelMap, CelValue } from "@bufbuild/cel";
import { ExpressionFault } from "../fault.js";
import type { Cel } from "../load.js";
import type { Meter } from "../meter.js";

const mostInRange = 10_000n;

/** Equality, lists, sets, `size` and `in`. */
export function collectionFunctions(cel: Cel, meter: Meter): readonly CelFunc[] {
  const { celFunc, celMethod, celList, isCelList, isCelMap } = cel;
  const { BOOL, BYTES, DYN, INT, STRING } = cel.CelScalar;
  const LIST = cel.listType(DYN);
  const MAP = cel.mapType(DYN, DYN);
  const standardEquals = cel.celEnv().funcs.find("_==_");

  function equal(left: CelValue, right: CelValue): boolean {
    if (left === right) return true;
    if (isCelList(left)) return isCelList(right) && equalLists(left, right);
    if (isCelMap(left)) return isCelMap(right) && equalMaps(left, right);
    meter.take(0.25);
    return standardEquals?.call(0, undefined, [left, right]) === true;
  }
  function equalLists(left: CelList, right: CelList): boolean {
    if (left.size !== right.size) return false;
    meter.take(left.size / 4);
    const others = right[Symbol.iterator]();
    for (const each of left) if (!equal(each, others.next().value as CelValue)) return false;
    return true;
  }
  function equalMaps(left: CelMap, right: CelMap): boolean {
    if (left.size !== right.size) return false;
    meter.take(left.size / 4);
    for (const [key, value] of left) {
      const other = right.get(key);
      if (other === undefined || !equal(value, other)) return false;
    }
    return true;
  }
  function holds(list: CelList, value: CelValue): boolean {
    meter.take(list.size / 4);
    for (const each of list) if (equal(each, value)) return true;
    return false;
  }
  const inMap = (key: CelValue, map: CelMap): boolean => map.get(key as never) !== undefined;
  const all = (list: CelList, of: CelList): boolean => {
    for (const each of of) if (!holds(list, each)) return false;
    return true;
  };
  function sizeOf(text: string): bigint {
    meter.take(text.length / 16);
    let size = 0;
    for (let index = 0; index < text.length; index++, size++) {
      if ((text.codePointAt(index) as number) > 0xffff) index++;
    }
    return BigInt(size);
  }
  const concat = (left: CelList, right: CelList): CelList => {
    meter.take((left.size + right.size) / 4);
    return celList([...left, ...right] as CelInput[]);
  };

  return [
    celFunc("_==_", [DYN, DYN], BOOL, (left, right) => equal(left, right)),
    celFunc("_!=_", [DYN, DYN], BOOL, (left, right) => !equal(left, right)),
    celFunc("@in", [DYN, LIST], BOOL, (value, list) => holds(list, value)),
    ...[STRING, cel.CelScalar.DOUBLE, INT, BOOL, cel.CelScalar.UINT].map((key) =>
      celFunc("@in", [key, MAP], BOOL, (value, map) => inMap(value, map)),
    ),
    celFunc("size", [STRING], INT, sizeOf),
    celMethod("size", STRING, [], INT, function () {
      return sizeOf(this);
    }),
    celFunc("_+_", [LIST, LIST], LIST, concat),
    celMethod("reverse", LIST, [], LIST, function () {
      meter.take(this.size / 4);
      return celList([...this].reverse() as CelInput[]);
    }),
    celFunc("lists.range", [INT], LIST, (length) => {
      if (length < 0n || length > mostInRange) throw new ExpressionFault("invalid_argument");
      meter.take(Number(length) / 4);
      return celList(Array.from({ length: Number(length) }, (_, index) => BigInt(index)));
    }),
    celFunc("sets.contains", [LIST, LIST], BOOL, all),
    celFunc("sets.equivalent", [LIST, LIST], BOOL, (a, b) => all(a, b) && all(b, a)),
    celFunc("sets.intersects", [LIST, LIST], BOOL, (a, b) => {
      for (const each of a) if (holds(b, each)) return true;
      return false;
    }),
    celFunc("base64.encode", [BYTES], STRING, (bytes) => Buffer.from(bytes).toString("base64")),
    celFunc("base64.decode", [STRING], BYTES, (text) => {
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new ExpressionFault("invalid_argument");
      return new Uint8Array(Buffer.from(text, "base64"));
    }),
  ];
}
