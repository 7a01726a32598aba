/** The names in a template, found without rendering it. */
export interface TemplateNames {
  /** Variables that it reads and does not set itself. */
  readonly free: ReadonlySet<string>;
  /** Expressions that may come to nothing: what `is defined`, `is undefined` and `default(…)` ask about. */
  readonly optional: ReadonlySet<unknown>;
  /** Expressions that a loop goes through. */
  readonly iterated: ReadonlySet<unknown>;
  /** True if no loop asks which round it is in, or is left early. */
  readonly plainLoops: boolean;
}

/** Expressions and blocks that may stand in each other. */
const maxDepth = 500;

type Node = Readonly<Record<string, unknown>>;

/**
 * Read the names in a template's syntax tree, which is `@huggingface/jinja`'s.
 *
 * @throws RangeError for one that nests too deeply.
 */
export function templateNames(program: unknown): TemplateNames {
  const read = new Set<string>();
  const declared = new Set<string>();
  const optional = new Set<unknown>();
  const iterated = new Set<unknown>();
  let leaves = false;
  let depth = 0;

  const declare = (target: unknown): void => {
    if (!isNode(target)) return;
    if (target.type === "Identifier") declared.add(String(target.value));
    else if (target.type === "TupleLiteral") for (const item of list(target.value)) declare(item);
    else visit(target);
  };
  const parameters = (all: unknown): void => {
    for (const parameter of list(all)) {
      if (!isNode(parameter)) continue;
      declare(parameter.type === "KeywordArgumentExpression" ? parameter.key : parameter);
      if (parameter.type === "KeywordArgumentExpression") visit(parameter.value);
    }
  };
  const ask = (operand: unknown): void => {
    optional.add(operand);
    if (!isNode(operand) || operand.type !== "Identifier") visit(operand);
  };
  /** The name of a filter is not a variable. Its arguments are expressions. */
  const filter = (node: unknown): void => {
    if (isNode(node) && node.type === "CallExpression") visit(node.args);
  };

  function visit(node: unknown): void {
    if (Array.isArray(node)) {
      for (const item of node) visit(item);
      return;
    }
    if (node instanceof Map) {
      for (const [key, value] of node) {
        visit(key);
        visit(value);
      }
      return;
    }
    if (!isNode(node)) return;
    if (depth >= maxDepth) throw new RangeError("It nests too deeply.");
    depth += 1;
    within(node);
    depth -= 1;
  }

  function within(node: Node): void {
    switch (node.type) {
      case "Identifier":
        read.add(String(node.value));
        return;
      case "MemberExpression":
        visit(node.object);
        if (node.computed === true) visit(node.property);
        return;
      case "FilterExpression":
        if (isDefault(node.filter)) ask(node.operand);
        else visit(node.operand);
        filter(node.filter);
        return;
      case "FilterStatement":
        visit(node.body);
        filter(node.filter);
        return;
      case "TestExpression":
        if (/^(un)?defined$/.test(nameOf(node.test))) ask(node.operand);
        else visit(node.operand);
        return;
      case "KeywordArgumentExpression":
        visit(node.value);
        return;
      case "Set":
        declare(node.assignee);
        break;
      case "For":
        declare(node.loopvar);
        iterated.add(iterableOf(node));
        declared.add("loop");
        break;
      case "Macro":
        declare(node.name);
        for (const name of ["varargs", "kwargs", "caller"]) declared.add(name);
        parameters(node.args);
        visit(node.body);
        return;
      case "CallStatement":
        parameters(node.callerArgs);
        break;
      case "Break":
      case "Continue":
        leaves = true;
        break;
    }
    for (const [key, child] of Object.entries(node)) {
      if (!notExpressions.has(key)) visit(child);
    }
  }

  visit(program);
  const free = new Set([...read].filter((name) => !declared.has(name)));
  return { free, optional, iterated, plainLoops: !leaves && !read.has("loop") };
}

/** The library makes a selection from b of `for a in b if c`. */
function iterableOf({ iterable }: Node): unknown {
  return isNode(iterable) && iterable.type === "SelectExpression" ? iterable.lhs : iterable;
}

/** Members that hold tokens, and targets that were read as declarations. */
const notExpressions = new Set(["operator", "assignee", "loopvar", "callerArgs"]);

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "type");
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function nameOf(node: unknown): string {
  return isNode(node) && node.type === "Identifier" ? String(node.value) : "";
}

function isDefault(filter: unknown): boolean {
  return isNode(filter) && filter.type === "CallExpression" && nameOf(filter.callee) === "default";
}
