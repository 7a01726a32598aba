import { Environment } from "@huggingface/jinja";
import { didYouMean, quoted } from "@toolstile/core/provider";
import { wrongConfig } from "../errors.js";
import { maxItems, StrictInterpreter } from "./template-interpreter.js";
import { type TemplateNames, templateNames } from "./template-names.js";
import { maxTemplate, type Program, syntaxTree } from "./template-syntax.js";

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
 * @throws ToolstileError `ERR_CONFIG` for a template that does not parse, is too long, nests too deeply or names an unknown variable.
 */
export function compileTemplate(
  source: string,
  variables: readonly string[],
  where: string,
): Template {
  if (source.length > maxTemplate) {
    throw wrongConfig(
      `${where} must be at most ${maxTemplate} characters long, received ${source.length}.`,
    );
  }
  let program: Program;
  let names: TemplateNames;
  try {
    program = syntaxTree(source);
    names = templateNames(program);
  } catch (cause) {
    const why =
      cause instanceof RangeError ? "is too large or nests too deeply" : "is not a Jinja template";
    throw wrongConfig(`${where} ${why}.`, cause);
  }
  for (const name of names.free) {
    if (variables.includes(name) || ownNames.has(name)) continue;
    const given =
      variables.length === 0 ? "It is given none" : `It is given: ${variables.join(", ")}`;
    throw wrongConfig(
      `${where} names a variable ${quoted(name)}, which is undefined.${didYouMean(name, variables)} ${given}.`,
    );
  }
  const [only, ...rest] = program.body;
  const isOneName = only?.type === "Identifier" && rest.length === 0;
  return {
    onlyVariable: isOneName ? String(only.value) : undefined,
    variables: names.free,
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
      return new StrictInterpreter(environment, names, room).text(program);
    },
  };
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
