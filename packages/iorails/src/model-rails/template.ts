import { Environment, Interpreter, parse, tokenize } from "@huggingface/jinja";
import { ToolstileError } from "@toolstile/core";
import { didYouMean, quoted } from "@toolstile/core/host";
import { ownFilter, type Step, withoutRaw } from "./template-extras.js";
import { type TemplateNames, templateNames } from "./template-names.js";

/** The values of a template's variables, by name. */
export type TemplateVariables = Readonly<Record<string, string | boolean>>;

/** A Jinja template, read once. */
export interface Template {
  /** The variable, where the template is nothing but `{{ variable }}`. */
  readonly onlyVariable: string | undefined;
  /** The variables that it reads. */
  readonly variables: ReadonlySet<string>;
  /**
   * Fill the template in. Values are data: braces in them stay as they are.
   *
   * @throws where a name is undefined, a filter unknown or the work out of bounds.
   */
  readonly render: (variables: TemplateVariables) => string;
}

/** Steps that one rendering may take, and items that one list may have. */
const maxSteps = 100_000;
const maxItems = 10_000;
/** The size of a value that one step may produce. A larger one counts as several steps. */
const charactersInStep = 1_000;
const itemsInStep = 100;
/** Characters that one value may have over twice what the variables have. */
const roomToGrow = 1_000_000;

const constants = { true: true, false: false, none: null, True: true, False: false, None: null };
const ownNames = new Set([...Object.keys(constants), "range", "raise_exception", "namespace"]);

/**
 * Read a Jinja template that may use these variables, and evaluates no code.
 *
 * Stricter than Jinja is by itself: what is undefined is an error wherever it
 * is read, but for `is defined`, `is undefined` and `default(…)`.
 *
 * @param where what the template is for, as an error names it.
 * @throws ToolstileError `ERR_CONFIG` for a template that does not parse, or names an unknown variable.
 */
export function compileTemplate(
  source: string,
  variables: readonly string[],
  where: string,
): Template {
  let program: { readonly body: readonly Step[] };
  try {
    program = parse(tokenize(withoutRaw(source)));
  } catch (cause) {
    throw new ToolstileError("ERR_CONFIG", `${where} is not a Jinja template.`, { cause });
  }
  const { free, optional, iterated } = templateNames(program);
  for (const name of free) {
    if (variables.includes(name) || ownNames.has(name)) continue;
    const given =
      variables.length === 0 ? "It is given none" : `It is given: ${variables.join(", ")}`;
    throw new ToolstileError(
      "ERR_CONFIG",
      `${where} names a variable ${quoted(name)}, which is undefined.${didYouMean(name, variables)} ${given}.`,
    );
  }
  const [only, ...rest] = program.body;
  const isOneName = only?.type === "Identifier" && rest.length === 0;
  return {
    onlyVariable: isOneName ? String(only.value) : undefined,
    variables: free,
    render: (values) => {
      const environment = new Environment();
      for (const [name, value] of Object.entries(constants)) environment.set(name, value);
      environment.set("range", boundedRange);
      environment.set("raise_exception", () => {
        throw new Error("The template raised an exception.");
      });
      let length = 0;
      for (const [name, value] of Object.entries(values)) {
        environment.set(name, value);
        if (typeof value === "string") length += value.length;
      }
      const room = 2 * length + roomToGrow;
      const rendered = new StrictInterpreter(environment, { optional, iterated }, room).run(
        program,
      ).value;
      if (typeof rendered !== "string") throw new Error("The template rendered no text.");
      return rendered;
    },
  };
}

/** The library's interpreter. Its own declarations name files in a way that TypeScript does not resolve for modules. */
const JinjaInterpreter = Interpreter as unknown as new (
  environment: object,
) => {
  run(program: object): Step;
  evaluate(node: Step | undefined, environment: object): Step;
};

/** Jinja with undefined names as errors, and bounds. Every step of the library's goes through `evaluate`. */
class StrictInterpreter extends JinjaInterpreter {
  readonly #names: Pick<TemplateNames, "optional" | "iterated">;
  readonly #maxLength: number;
  #steps = 0;

  constructor(
    environment: object,
    names: Pick<TemplateNames, "optional" | "iterated">,
    maxLength: number,
  ) {
    super(environment);
    this.#names = names;
    this.#maxLength = maxLength;
  }

  override evaluate(node: Step | undefined, environment: object): Step {
    this.#steps += 1;
    if (this.#steps > maxSteps) throw new Error("The template takes too many steps.");
    const value = this.#evaluated(node, environment);
    // Bounds of a slice that are left out have no node.
    if (node !== undefined && value.type === "UndefinedValue" && !this.#names.optional.has(node)) {
      throw new Error("The template reads what is undefined.");
    }
    if (typeof value.value === "string") {
      if (value.value.length > this.#maxLength) {
        throw new Error("The template makes too long a text.");
      }
      this.#steps += value.value.length / charactersInStep;
    } else if (Array.isArray(value.value)) {
      if (value.value.length > maxItems) throw new Error("The template makes too long a list.");
      this.#steps += value.value.length / itemsInStep;
    }
    return value;
  }

  /** As the library has it, with the filters and the loops over text that it lacks. */
  #evaluated(node: Step | undefined, environment: object): Step {
    const filter = ownFilter(node);
    if (filter !== undefined) {
      const [operand, ...given] = [filter.operand, ...filter.args].map(
        (each) => this.evaluate(each, environment).value,
      );
      const value = filter.apply(String(operand), given);
      const type = typeof value === "number" ? "IntegerLiteral" : "StringLiteral";
      return super.evaluate({ type, value }, environment);
    }
    const value = super.evaluate(node, environment);
    if (!this.#names.iterated.has(node) || typeof value.value !== "string") return value;
    if (value.value.length > maxItems) throw new Error("The template makes too long a list.");
    const characters = Array.from(value.value, (each) => ({ type: "StringLiteral", value: each }));
    return super.evaluate({ type: "ArrayLiteral", value: characters }, environment);
  }
}

function boundedRange(first: unknown, second?: unknown, step: unknown = 1): number[] {
  const [start, stop] = second === undefined ? [0, first] : [first, second];
  if (!Number.isInteger(start) || !Number.isInteger(stop) || !Number.isInteger(step)) {
    throw new Error("range takes whole numbers.");
  }
  const [from, to, by] = [start as number, stop as number, step as number];
  const length = Math.max(0, Math.ceil((to - from) / by));
  if (by === 0 || length > maxItems) throw new Error("range makes too many items.");
  return Array.from({ length }, (_, index) => from + index * by);
}
