import type { Meter } from "../cost/meter.js";

/** Objects with more members are tables to V8, which takes long to list them. */
const mostFast = 1000;
const stepsPerMember = 6;
const stepsInTable = 40;

/** Lists the members of objects, at the cost of one listing where many rules ask about the same object. */
export class Members {
  private readonly meter: Meter;
  private object: object | undefined;
  private keys: readonly string[] = [];

  constructor(meter: Meter) {
    this.meter = meter;
  }

  of(object: object): readonly string[] {
    if (object === this.object) return this.keys;
    const keys = Object.keys(object);
    this.meter.take(keys.length * (keys.length > mostFast ? stepsInTable : stepsPerMember));
    this.object = object;
    this.keys = keys;
    return keys;
  }

  /** Objects of the last check must neither be kept nor be taken for what they were. */
  forget(): void {
    this.object = undefined;
    this.keys = [];
  }
}
