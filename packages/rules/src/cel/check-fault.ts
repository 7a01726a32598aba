import type { Expr } from "./expression-tree.js";

/** A name or a type that is wrong, and the node where. */
export class CheckFault extends Error {
  readonly id: bigint;

  constructor(node: Expr, problem: string) {
    super(problem);
    this.id = node.id;
  }
}
