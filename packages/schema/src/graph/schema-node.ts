import type { Plain } from "../document/plain-copy.js";

/**
 * One schema in the one dialect that is left after reading: 2020-12's
 * keywords, every reference an edge.
 */
export interface SchemaNode {
  /** JSON Pointer into the schema as given. */
  readonly pointer: string;
  /** The schema `false`. */
  readonly never: boolean;
  /** Keywords that hold no schemas. */
  readonly assertions: Map<string, Plain>;
  readonly one: Map<string, SchemaNode>;
  readonly lists: Map<string, readonly SchemaNode[]>;
  readonly maps: Map<string, Map<string, SchemaNode>>;
  readonly fallback: Plain | undefined;
  /** True if `contains` evaluates the items it finds: from 2020-12 on. */
  readonly containsEvaluates: boolean;
  /** True if a `$ref` leads here. */
  target: boolean;
}
