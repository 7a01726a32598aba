import type { CelInput, CelUint, CelValue } from "@bufbuild/cel";
import type { Value } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import { ValueSchema } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import { create, type MessageInitShape, type Registry } from "@bufbuild/protobuf";
import { isReflectMessage } from "@bufbuild/protobuf/reflect";
import { anyPack, anyUnpack, NullValue } from "@bufbuild/protobuf/wkt";
import { loadCel } from "../src/cel/load.js";

export const cel = loadCel();

/** A value of the suite as one of the language. */
export function fromSuite({ kind }: Value, registry: Registry): CelInput {
  switch (kind.case) {
    case "nullValue":
      return null;
    case "uint64Value":
      return cel.celUint(kind.value);
    case "listValue":
      return cel.celList(kind.value.values.map((each) => fromSuite(each, registry)));
    case "objectValue": {
      const message = anyUnpack(kind.value, registry);
      if (message === undefined) throw new Error("the suite uses a message that it does not have");
      return message as CelInput;
    }
    case "mapValue":
      return cel.celMap(
        new Map(
          kind.value.entries.map(({ key, value }) => [
            fromSuite(key as Value, registry) as string | CelUint,
            fromSuite(value as Value, registry),
          ]),
        ),
      );
    case "boolValue":
    case "int64Value":
    case "doubleValue":
    case "stringValue":
    case "bytesValue":
      return kind.value;
    default:
      throw new Error(`the suite binds a ${kind.case}`);
  }
}

/** A value of the language as one of the suite, with maps in the order of their keys. */
export function toSuite(value: CelValue): MessageInitShape<typeof ValueSchema> {
  if (value === null) return { kind: { case: "nullValue", value: NullValue.NULL_VALUE } };
  if (typeof value === "number") return { kind: { case: "doubleValue", value } };
  if (typeof value === "boolean") return { kind: { case: "boolValue", value } };
  if (typeof value === "bigint") return { kind: { case: "int64Value", value } };
  if (typeof value === "string") return { kind: { case: "stringValue", value } };
  if (value instanceof Uint8Array) return { kind: { case: "bytesValue", value } };
  if (cel.isCelUint(value)) return { kind: { case: "uint64Value", value: value.value } };
  if (cel.isCelType(value)) return { kind: { case: "typeValue", value: value.name } };
  if (cel.isCelList(value)) {
    const values = [...value].map((each) => create(ValueSchema, toSuite(each)));
    return { kind: { case: "listValue", value: { values } } };
  }
  if (cel.isCelMap(value)) {
    const entries = [...value.entries()].map(([key, member]) => ({
      key: toSuite(key),
      value: toSuite(member),
    }));
    return { kind: { case: "mapValue", value: { entries } } };
  }
  if (isReflectMessage(value)) {
    return { kind: { case: "objectValue", value: anyPack(value.desc, value.message) } };
  }
  throw new Error("not a value of the language");
}
