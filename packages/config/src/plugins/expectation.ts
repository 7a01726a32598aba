import {
  didYouMean,
  type OptionFault,
  OptionFaults,
  ownText,
  ownValue,
  quoted,
} from "@toolstile/core/provider";
import type { ErrorObject } from "ajv";

/** The most faults that one message names. */
const mostFaults = 5;
const mostValues = 12;
const longestValue = 64;

/** A sentence about the faults of options. It holds nothing of their values. */
export function faultsOf(errors: readonly ErrorObject[]): string {
  return sentenceOf(told(errors).map(faultText));
}

/** The same one by one, each with the place of the option that it is about. */
export function optionFaults(errors: readonly ErrorObject[]): OptionFaults {
  const faults = told(errors).map((error): OptionFault => {
    const detail = expectation(error);
    return { path: pathOf(error), text: detail === "" ? `does not fit: ${error.keyword}` : detail };
  });
  return new OptionFaults(sentenceOf(faults.map(({ text }) => text)), faults);
}

function told(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const alternatives = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const meant = new Map(alternatives.map((each) => [each, meantIn(each, errors)]));
  // What each alternative lacks would read as if all of it were asked for.
  return errors.filter(
    (error) =>
      meant.get(error) === undefined &&
      alternatives.every((each) => !isWithin(error, each) || meant.get(each)?.includes(error)),
  );
}

/** The errors of the one alternative of which the value has the type; nothing where that is none, or several. */
function meantIn(
  alternatives: ErrorObject,
  errors: readonly ErrorObject[],
): readonly ErrorObject[] | undefined {
  const { schemaPath, instancePath, parentSchema, keyword } = alternatives;
  const count = (parentSchema?.[keyword] as readonly unknown[] | undefined)?.length ?? 0;
  const within = errors.filter((error) => isWithin(error, alternatives));
  const fitting = Array.from({ length: count }, (_, index) =>
    within.filter((error) => error.schemaPath.startsWith(`${schemaPath}/${index}/`)),
  ).filter(
    (each) =>
      each.length > 0 &&
      !each.some((error) => error.instancePath === instancePath && ofKind.has(error.keyword)),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

const ofKind: ReadonlySet<string> = new Set(["type", "enum", "const"]);

function isWithin(error: ErrorObject, { schemaPath, instancePath }: ErrorObject): boolean {
  const isInPlace =
    error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`);
  return isInPlace && error.schemaPath.startsWith(`${schemaPath}/`);
}

function sentenceOf(all: readonly string[]): string {
  const texts = [...new Set(all)];
  const rest = texts.length - mostFaults;
  const text = texts.slice(0, mostFaults).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
  return text.endsWith("?") ? text : `${text}.`;
}

/** The place of an unknown option is its own, and not that of what holds it. */
function pathOf(error: ErrorObject): readonly (string | number)[] {
  const { instancePath, keyword, params } = error;
  const path = instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^(?:0|[1-9]\d*)$/.test(step) ? Number(step) : step));
  return Object.hasOwn(unknownIn, keyword)
    ? [...path, String(params[unknownIn[keyword as keyof typeof unknownIn]])]
    : path;
}

function faultText(error: ErrorObject): string {
  const place =
    error.instancePath === ""
      ? "at the top level"
      : `at ${quoted(error.instancePath).slice(1, -1)}`;
  const detail = expectation(error);
  return `${error.keyword} ${place}${detail === "" ? "" : `: ${detail}`}`;
}

function expectation({ keyword, params, parentSchema, data }: ErrorObject): string {
  switch (keyword) {
    case "type":
      return `expected ${[params["type"]].flat().join(" or ")}${example(parentSchema)}`;
    case "enum":
      return `expected ${values(params["allowedValues"])}${described(parentSchema)}${guess(data, params["allowedValues"])}`;
    case "const":
      return `expected ${values([params["allowedValue"]])}`;
    case "required":
      return missing(String(params["missingProperty"]), parentSchema);
    case "additionalProperties":
    case "unevaluatedProperties":
      return unknownOption(String(params[unknownIn[keyword]]), parentSchema, data);
    case "propertyNames":
      return `the name ${quoted(String(params["propertyName"]))} does not fit`;
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return `expected a number ${params["comparison"]} ${params["limit"]}`;
    case "minLength":
    case "minItems":
    case "minProperties":
      return `expected at least ${counted(params["limit"], keyword)}`;
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return `expected at most ${counted(params["limit"], keyword)}`;
    case "pattern":
      return `expected text that matches ${quoted(String(params["pattern"]))}${described(parentSchema)}`;
    case "multipleOf":
      return `expected a multiple of ${params["multipleOf"]}`;
    case "anyOf":
    case "oneOf":
      return params["passingSchemas"]
        ? "fits more than one alternative"
        : forms(parentSchema?.[keyword]);
    default:
      return "";
  }
}

const things = { Length: "character", Items: "item", Properties: "option" } as const;

function counted(limit: number, keyword: string): string {
  return `${limit} ${things[keyword.slice(3) as keyof typeof things]}${limit === 1 ? "" : "s"}`;
}

const unknownIn = {
  additionalProperties: "additionalProperty",
  unevaluatedProperties: "unevaluatedProperty",
} as const;

/** The declared name that was probably meant: the one that the schema says by `x-meant`, or the nearest that is not there yet. */
function unknownOption(name: string, schema: object | undefined, data: unknown): string {
  const declared = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
  const free = declared.filter((key) => !Object.hasOwn(Object(data) as object, key));
  const meant = ownText(ownValue(schema, "x-meant"), name);
  const question = didYouMean(meant ?? name, meant === undefined ? free : [meant]);
  return `there is no option ${quoted(name)}${question === "" ? "" : `.${question}`}`;
}

function values(list: readonly unknown[]): string {
  const isShort = list.every(
    (value) =>
      value === null ||
      (typeof value === "string" ? value.length <= longestValue : typeof value !== "object"),
  );
  if (list.length > mostValues || !isShort) return `one of ${list.length} declared values`;
  return list
    .map((value) => (typeof value === "string" ? quoted(value) : String(value)))
    .join(" or ");
}

/** The value that was probably meant: the one that begins so, as `monday` does for `mon`, or the nearest. */
function guess(data: unknown, allowed: readonly unknown[]): string {
  if (typeof data !== "string" || data.length < 2) return "";
  const texts = allowed.filter((value) => typeof value === "string");
  const begun = texts.filter((text) => text.startsWith(data.toLowerCase()));
  const [only] = begun;
  const question =
    only !== undefined && begun.length === 1
      ? ` Did you mean ${quoted(only)}?`
      : didYouMean(data, texts);
  return question === "" ? "" : `.${question}`;
}

/** The example that the author gives of a value, as a guard.yaml has it. */
function example(schema: object | undefined): string {
  const examples = ownValue(schema, "examples");
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined;
  if (typeof first !== "object" || first === null || Array.isArray(first)) return "";
  const members = Object.entries(first).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `, as in { ${members.join(", ")} }`;
}

function missing(name: string, schema: object | undefined): string {
  const own = ownValue(ownValue(schema, "properties"), name);
  return `${quoted(name)} is missing${described(Object(own) as object)}`;
}

/** The author's own words for what the value must be: no pattern says how else to write it, and no list what a value stands for. */
function described(schema: object | undefined): string {
  const description = schema === undefined ? undefined : ownText(schema, "description");
  return description === undefined ? "" : `: ${description}`;
}

/** The types or values that the alternatives accept, if each of them names its own. */
function forms(alternatives: readonly unknown[]): string {
  const words = alternatives.map((alternative) => {
    const { type, enum: allowed } = Object(alternative) as { type?: unknown; enum?: unknown };
    if (Array.isArray(allowed)) return values(allowed);
    return type === undefined ? undefined : [type].flat().join(" or ");
  });
  return words.includes(undefined)
    ? `fits none of ${alternatives.length} alternatives`
    : `expected ${[...new Set(words)].join(", or ")}${describedAmong(alternatives)}`;
}

/** The author's words for the values that one of the alternatives lists. */
function describedAmong(alternatives: readonly unknown[]): string {
  const listing = alternatives.find((each) => Array.isArray(ownValue(each, "enum")));
  return described(listing as object | undefined);
}
