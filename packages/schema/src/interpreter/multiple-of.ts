import type { Meter } from "../cost/meter.js";

const bigIntegerSteps = 160;
/** The cost of writing one of the two with one more decimal place. */
const stepsForPlace = 3;

/**
 * True if a number is a whole multiple of another, as the decimals they are
 * written as: 19.99 is one of 0.01, though dividing the floats does not say so.
 */
export function isMultipleOf(value: number, divisor: number, meter: Meter): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const left = decimal(value);
  const right = decimal(divisor);
  meter.take(bigIntegerSteps + stepsForPlace * Math.abs(left.exponent - right.exponent));
  const exponent = Math.min(left.exponent, right.exponent);
  return scaled(left, exponent) % scaled(right, exponent) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimal(value: number): Decimal {
  const [mantissa = "0", power = "0"] = String(value).split("e");
  const point = mantissa.indexOf(".");
  if (point < 0) return { digits: BigInt(mantissa), exponent: Number(power) };
  const fraction = mantissa.length - point - 1;
  return { digits: BigInt(mantissa.replace(".", "")), exponent: Number(power) - fraction };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}
