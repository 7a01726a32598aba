import type { JsonObject, JsonValue } from "@toolstile/core";
import { isJsonObject } from "@toolstile/core/provider";

/** JSON whose objects have no prototype, so that reading a key never reaches a polluted one. */
export type Data = null | boolean | number | string | Data[] | DataObject;
export interface DataObject {
  [key: string]: Data;
}

/** An object without a prototype. */
export function emptyObject(): DataObject {
  return Object.create(null) as DataObject;
}

/** An ordinary JSON object for later readers, with own properties only. */
export function ordinary(data: DataObject): JsonObject {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, ordinaryValue(value)] as const),
  );
}

function ordinaryValue(data: Data): JsonValue {
  if (Array.isArray(data)) return data.map(ordinaryValue);
  return isJsonObject(data) ? ordinary(data) : data;
}
