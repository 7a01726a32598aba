import type { CelFunc } from "@bufbuild/cel";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { atOffset, dayNumber, type WallTime, type Zone, zoneOf } from "../../time/zone.js";
import { ExpressionFault } from "../fault.js";
import type { Cel } from "../load.js";
import type { Meter } from "../meter.js";

const parts: Readonly<Record<string, (time: WallTime) => number>> = {
  getFullYear: ({ year }) => year,
  getMonth: ({ month }) => month - 1,
  getDate: ({ day }) => day,
  getDayOfMonth: ({ day }) => day - 1,
  getDayOfWeek: ({ weekday }) => weekday,
  getDayOfYear: ({ year, month, day }) => dayNumber(year, month, day) - dayNumber(year, 1, 1),
  getHours: ({ hour }) => hour,
  getMinutes: ({ minute }) => minute,
  getSeconds: ({ second }) => second,
};

const mostZones = 64;
const unitsOfZone = 200;

/** The parts of a timestamp. The library's own go through the time zone of the machine, which has hours that do not exist. */
export function timeFunctions(cel: Cel, meter: Meter): readonly CelFunc[] {
  const { INT, STRING } = cel.CelScalar;
  const TIMESTAMP = cel.objectType("google.protobuf.Timestamp");
  const zones = new Map<string, Zone>();

  function zone(name: string): Zone {
    const known = zones.get(name);
    if (known !== undefined) return known;
    meter.take(unitsOfZone);
    const made = created(name);
    if (zones.size >= mostZones) zones.clear();
    zones.set(name, made);
    return made;
  }
  const wallTime = (message: unknown, name: string): WallTime => {
    const { seconds, nanos } = message as Timestamp;
    const time = Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000);
    const offset = offsetMinutes(name);
    if (offset !== undefined) return atOffset(time, offset);
    meter.take(10);
    return zone(name).at(time);
  };

  return Object.entries(parts).flatMap(([name, part]) => [
    cel.celMethod(name, TIMESTAMP, [], INT, function () {
      return BigInt(part(wallTime(this.message, "UTC")));
    }),
    cel.celMethod(name, TIMESTAMP, [STRING], INT, function (where) {
      return BigInt(part(wallTime(this.message, where)));
    }),
  ]);
}

function created(name: string): Zone {
  try {
    return zoneOf(name);
  } catch {
    throw new ExpressionFault("invalid_argument");
  }
}

/** The minutes ahead of UTC that a zone such as `-02:30` names. */
function offsetMinutes(zone: string): number | undefined {
  if (zone === "UTC") return 0;
  const [, sign, hours, minutes] = /^([+-]?)(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const ahead = Number(hours) * 60 + Number(minutes);
  return sign === "-" ? -ahead : ahead;
}
