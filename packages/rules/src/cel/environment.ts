import type { CelEnv, CelFunc, CelType, CelValue } from "@bufbuild/cel";
import { ExpressionFault, kindOfError } from "./fault.js";
import { collectionFunctions } from "./functions/collections.js";
import { macroFunctions } from "./functions/macros.js";
import { LiteralPatterns, matchFunctions } from "./functions/matches.js";
import { numberFunctions } from "./functions/numbers.js";
import { stringFunctions } from "./functions/strings.js";
import { timeFunctions } from "./functions/time.js";
import { type Cel, loadCel } from "./load.js";
import { Meter } from "./meter.js";

import { JsonValues } from "./values.js";

/** The environment that all expressions share: the functions of the language, and one meter, since an evaluation never waits. */
export interface Environment {
  readonly cel: Cel;
  readonly env: CelEnv;
  readonly meter: Meter;
  readonly values: JsonValues;
  readonly patterns: LiteralPatterns;
}

let environment: Environment | undefined;

/** Makes the environment when the first expression needs it. */
export function theEnvironment(): Environment {
  environment ??= createEnvironment(loadCel());
  return environment;
}

type EnvironmentOptions = NonNullable<Parameters<Cel["celEnv"]>[0]>;

/** @param options - the types of messages. JSON has none, but the suite of the language has. */
export function createEnvironment(
  cel: Cel,
  options: Pick<EnvironmentOptions, "namespace" | "registry"> = {},
): Environment {
  const meter = new Meter();
  const patterns = new LiteralPatterns(meter);
  const own = [
    ...collectionFunctions(cel, meter),
    ...stringFunctions(cel, meter),
    ...numberFunctions(cel),
    ...timeFunctions(cel, meter),
    ...macroFunctions(cel, meter),
    ...matchFunctions(cel, patterns),
  ];
  const standard = cel.celEnv().funcs;
  const funcs = [...metered([...standard], cel, meter), ...metered(own, cel, meter)];
  return {
    cel,
    env: cel.celEnv({ ...options, funcs }),
    meter,
    values: new JsonValues(cel, meter),
    patterns,
  };
}

/** The longest text that a conversion or a zone is read from. */
const longestConverted = 64;
const conversions = /^(?:timestamp|duration|bool|get[A-Z].*)$/;

/** Wraps functions so that each call takes units by the lengths of what it is given. */
function metered(funcs: readonly CelFunc[], cel: Cel, meter: Meter): readonly CelFunc[] {
  const weight = (value: CelValue): number => {
    if (typeof value === "string") return value.length / 64;
    return value instanceof Uint8Array ? value.length / 64 : 0;
  };
  const limited = (value: CelValue): void => {
    if (typeof value === "string" && value.length > longestConverted)
      throw new ExpressionFault("invalid_argument");
  };
  return funcs.map((func) => {
    const converts = conversions.test(func.name);
    const call = (target: CelValue | undefined, args: CelValue[]): CelValue => {
      let units = 1;
      if (target !== undefined) units += weight(target);
      for (const arg of args) units += weight(arg);
      meter.take(units);
      if (converts) for (const arg of args) limited(arg);
      const result = func.call(0, target, args);
      if (result === undefined) throw new ExpressionFault("wrong_type");
      if (cel.isCelError(result)) throw new ExpressionFault(kindOfError(result));
      return result;
    };
    return func.target === undefined
      ? cel.celFunc(func.name, func.arguments as CelType[], func.result, (...args: CelValue[]) =>
          call(undefined, args),
        )
      : cel.celMethod(
          func.name,
          func.target,
          func.arguments as CelType[],
          func.result,
          function (...args: CelValue[]) {
            return call(this, args);
          },
        );
  });
}
