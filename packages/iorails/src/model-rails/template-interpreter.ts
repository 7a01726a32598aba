import { Environment, Interpreter } from "@huggingface/jinja";
import { areEqual } from "./template-comparison.js";
import { ownFilter, type Step } from "./template-extras.js";
import type { TemplateNames } from "./template-names.js";
import type { Program } from "./template-syntax.js";
import { type Value, weightOf } from "./template-values.js";
import { charactersOf, multiplies, stepsOf, stepsOfSearch } from "./template-work.js";

/**
 * Steps that one rendering may take, a microsecond each: what takes longer
 * counts as several.
 */
const maxSteps = 30_000;
/** Items that one list may have. */
export const maxItems = 10_000;
/** Characters and items of a value that are read in one step, and that are worked on in one. */
const read = { characters: 1_000, items: 10 };
const worked = { characters: 20, items: 1 };
/** Steps that take longer than looking something up. */
const costly: Readonly<Record<string, number>> = { For: 4, CallExpression: 8, Macro: 4 };
/** The object that the library makes for each round of a loop that may ask about it. */
const costOfRound = 8;

/** An expression whose value is known already. */
interface Known extends Step {
  readonly type: "Known";
  readonly known: Value;
}

/** The members of steps that are read here. */
interface Node extends Step {
  readonly operand?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly computed?: boolean;
  readonly callee?: Node;
  readonly filter?: Node;
  readonly args?: readonly Node[];
  readonly key?: Node;
  readonly body?: readonly Node[];
  readonly defaultBlock?: readonly Node[];
  readonly iterable?: Node;
  readonly loopvar?: Node;
  readonly lhs?: Node;
  readonly test?: Node;
  readonly left?: Node;
  readonly right?: Node;
  readonly operator?: { readonly value: string };
}

/** The library's interpreter. Its own declarations name files in a way that TypeScript does not resolve for modules. */
const JinjaInterpreter = Interpreter as unknown as new (
  environment: object,
) => {
  run(program: object): Value;
  evaluate(node: Step | undefined, environment: object): Value;
  evaluateBlock(body: readonly Step[], environment: object): Value;
};

/** The library's scope of names. */
const Scope = Environment as unknown as new (
  outer: object,
) => { setVariable(name: string, value: Value): void };

/** Jinja with undefined names as errors, and bounds. Every step of the library's goes through `evaluate`. */
export class StrictInterpreter extends JinjaInterpreter {
  readonly #names: TemplateNames;
  readonly #maxLength: number;
  #steps = 0;

  /** @param maxLength the characters that a value may have. */
  constructor(environment: object, names: TemplateNames, maxLength: number) {
    super(environment);
    this.#names = names;
    this.#maxLength = maxLength;
  }

  /** @throws where a name is undefined, or the work out of bounds. */
  text(program: Program): string {
    const { value } = this.run(program);
    if (typeof value !== "string") throw new Error("The template rendered no text.");
    return value;
  }

  override evaluate(node: Node | undefined, environment: object): Value {
    if (node?.type === "Known") return (node as Known).known;
    this.#take(costly[node?.type ?? ""] ?? 1);
    const value = this.#evaluated(node, environment);
    // Bounds of a slice that are left out have no node.
    if (node !== undefined && value.type === "UndefinedValue" && !this.#names.optional.has(node)) {
      throw new Error("The template reads what is undefined.");
    }
    if (typeof value.value === "string" && value.value.length > this.#maxLength) {
      throw new Error("The template makes too long a text.");
    }
    if (Array.isArray(value.value) && value.value.length > maxItems) {
      throw new Error("The template makes too long a list.");
    }
    this.#weigh(value, read);
    return value;
  }

  #take(steps: number): void {
    this.#steps += steps;
    if (this.#steps > maxSteps) throw new Error("The template takes too many steps.");
  }

  #weigh(value: Value, unit: typeof read): void {
    const { characters, items } = weightOf(value);
    this.#take(characters / unit.characters + items / unit.items);
  }

  /** As the library has it, with the filters and the loops over text that it lacks. */
  #evaluated(node: Node | undefined, environment: object): Value {
    switch (node?.type) {
      case "FilterExpression":
        return this.#filtered(node, environment);
      case "FilterStatement": {
        const operand = known(this.evaluateBlock(node.body ?? [], environment));
        return this.#filtered({ ...node, type: "FilterExpression", operand }, environment);
      }
      case "CallExpression":
        return this.#called(node, environment);
      case "MemberExpression":
        if (node.computed === true && node.property?.type === "SliceExpression") {
          const object = this.#workedOn(node.object, environment);
          return super.evaluate({ ...node, object } as Step, environment);
        }
        break;
      case "BinaryExpression":
        return this.#compared(node, environment);
      case "For":
        return this.#loop(node, environment);
    }
    const value = super.evaluate(node, environment);
    if (!this.#names.iterated.has(node) || typeof value.value !== "string") return value;
    if (value.value.length > maxItems) throw new Error("The template makes too long a list.");
    const characters = Array.from(value.value, (each) => known(this.#literal(each)));
    return super.evaluate({ type: "ArrayLiteral", value: characters }, environment);
  }

  #compared(node: Node, environment: object): Value {
    const operator = node.operator?.value ?? "";
    // The right side of these may not be reached.
    if (operator === "and" || operator === "or") return super.evaluate(node, environment);
    const left = this.evaluate(node.left, environment);
    const right = this.evaluate(node.right, environment);
    if (operator === "==" || operator === "!=") {
      for (const value of [left, right]) this.#weigh(value, worked);
      return this.#truth(areEqual(left, right) === (operator === "=="));
    }
    if (/in$/.test(operator)) {
      if (!Array.isArray(right.value)) this.#take(stepsOfSearch(right.value, left.value));
      else {
        this.#weigh(right, worked);
        const isIn = right.value.some((each: Value) => areEqual(each, left));
        return this.#truth(isIn === (operator === "in"));
      }
    }
    return super.evaluate({ ...node, left: known(left), right: known(right) } as Step, environment);
  }

  #filtered(node: Node, environment: object): Value {
    const operand = this.#workedOn(node.operand, environment);
    const own = ownFilter(node);
    if (own !== undefined) {
      const given = own.args.map((each) => this.evaluate(each, environment).value);
      return this.#literal(own.apply(String(operand.known.value), given));
    }
    const { filter } = node;
    if (filter?.type !== "CallExpression") {
      return super.evaluate({ ...node, operand } as Step, environment);
    }
    const args = this.#known(filter.args, environment);
    this.#checkWork(String(filter.callee?.value), operand.known, args);
    return super.evaluate({ ...node, operand, filter: { ...filter, args } } as Step, environment);
  }

  #called(node: Node, environment: object): Value {
    const { callee } = node;
    if (callee?.type !== "MemberExpression" || callee.computed === true) {
      return super.evaluate(node, environment);
    }
    const object = this.#workedOn(callee.object, environment);
    const args = this.#known(node.args, environment);
    this.#checkWork(String(callee.property?.value), object.known, args);
    return super.evaluate({ ...node, callee: { ...callee, object }, args } as Step, environment);
  }

  #workedOn(node: Node | undefined, environment: object): Known {
    const value = this.evaluate(node, environment);
    this.#weigh(value, worked);
    return known(value);
  }

  /** Arguments whose values are known. One that stands for several stays as it is. */
  #known(args: readonly Node[] = [], environment: object): readonly Node[] {
    return args.map((each) => {
      if (/Spread/.test(each.type)) return each;
      if (each.type !== "KeywordArgumentExpression") return known(this.evaluate(each, environment));
      return { ...each, value: known(this.evaluate(each.value as Node, environment)) };
    });
  }

  /** Refuses what makes too long a text, or looks too long for one, before it is made. */
  #checkWork(name: string, { value }: Value, args: readonly Node[]): void {
    if (!multiplies(name)) return;
    // How many there are is not known.
    if (args.some(({ type }) => /Spread/.test(type))) {
      throw new Error("The template makes too long a text.");
    }
    const given = args.map((each) => {
      const { known } = (each.type === "Known" ? each : each.value) as Known;
      return known.value;
    });
    this.#take(stepsOf(name, value, given));
    if (charactersOf(name, value, given) > this.#maxLength) {
      throw new Error("The template makes too long a text.");
    }
  }

  #loop(node: Node, environment: object): Value {
    const scope = new Scope(environment);
    const { iterable, loopvar, body = [], defaultBlock = [] } = node;
    const selects = iterable?.type === "SelectExpression";
    const listed = this.evaluate(selects ? iterable.lhs : iterable, scope);
    const all = Array.isArray(listed.value) ? (listed.value as readonly Value[]) : undefined;
    if (all === undefined || loopvar?.type !== "Identifier" || !this.#names.plainLoops) {
      this.#take(costOfRound * weightOf(listed).items);
      const from = selects ? { ...iterable, lhs: known(listed) } : known(listed);
      return super.evaluate({ ...node, iterable: from } as Step, environment);
    }
    const name = String(loopvar.value);
    const asked = new Scope(scope);
    const kept = all.filter((item) => {
      if (!selects) return true;
      asked.setVariable(name, item);
      return this.evaluate(iterable.test, asked).__bool__().value;
    });
    let text = "";
    for (const item of kept) {
      scope.setVariable(name, item);
      text += this.evaluateBlock(body, scope).value;
    }
    return this.#literal(kept.length > 0 ? text : this.evaluateBlock(defaultBlock, scope).value);
  }

  #truth(value: boolean): Value {
    const [left, right] = [this.#literal(1), this.#literal(value ? 1 : 0)];
    const operator = { value: "==" };
    const step = { type: "BinaryExpression", operator, left: known(left), right: known(right) };
    return super.evaluate(step, this);
  }

  #literal(value: unknown): Value {
    const type = typeof value === "number" ? "IntegerLiteral" : "StringLiteral";
    return super.evaluate({ type, value }, this);
  }
}

function known(value: Value): Known {
  return { type: "Known", known: value };
}
