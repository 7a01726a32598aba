import { Metadata } from "libphonenumber-js/core";
import metadata from "libphonenumber-js/min/metadata";

/** The numbers that one country calling code has, without the code. */
interface Plan {
  readonly numbers: RegExp;
  readonly shortest: number;
  readonly longest: number;
}

const plans = new Map<number, Plan | undefined>();

/**
 * The plan of a calling code by libphonenumber's own patterns.
 *
 * Its parser takes 85 µs a number, too long for text of numbers only; the
 * patterns of all countries of a code, compiled once, take a fraction of 1 µs.
 */
function planOf(code: number): Plan | undefined {
  let plan = plans.get(code);
  if (plan === undefined && !plans.has(code)) {
    plan = readPlan(String(code));
    plans.set(code, plan);
  }
  return plan;
}

function readPlan(code: string): Plan | undefined {
  const countries = Object.hasOwn(metadata.country_calling_codes, code)
    ? metadata.country_calling_codes[code]
    : undefined;
  if (countries === undefined) return undefined;
  const read = countries.map((country) => {
    const all = new Metadata(metadata);
    all.selectNumberingPlan(country);
    // The types leave out its pattern, which its documentation names.
    const plan = all.numberingPlan as
      | (NonNullable<typeof all.numberingPlan> & { nationalNumberPattern(): string })
      | undefined;
    return { pattern: plan?.nationalNumberPattern() ?? "", lengths: plan?.possibleLengths() ?? [] };
  });
  const lengths = read.flatMap((each) => each.lengths).sort((a, b) => a - b);
  return {
    numbers: new RegExp(`^(?:${read.map(({ pattern }) => pattern).join("|")})$`),
    shortest: lengths[0] ?? Number.POSITIVE_INFINITY,
    longest: lengths.at(-1) ?? Number.NEGATIVE_INFINITY,
  };
}

function fits(plan: Plan, national: string): boolean {
  const { length } = national;
  return length >= plan.shortest && length <= plan.longest && plan.numbers.test(national);
}

/** True for the digits of an international number, calling code first, that the plan of its country has. */
export function isInternationalNumber(digits: string): boolean {
  let code = 0;
  for (let length = 1; length <= 3; length++) {
    code = code * 10 + digits.charCodeAt(length - 1) - 48;
    const plan = planOf(code);
    if (plan === undefined) continue;
    // Codes are prefix-free. A trunk zero is often written after the code: +44 (0)20 …
    const national = digits.slice(length);
    return fits(plan, national) || (national.startsWith("0") && fits(plan, national.slice(1)));
  }
  return false;
}

/** True for ten digits of the North American plan. */
export function isNorthAmericanNumber(digits: string): boolean {
  const plan = planOf(1);
  return plan !== undefined && fits(plan, digits);
}
