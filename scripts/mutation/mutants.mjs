import ts from "typescript";

/**
 * A change of one place in a source file that the tests should notice.
 *
 * @typedef {object} Mutant
 * @property {string} file
 * @property {number} line
 * @property {string} within The function or the class that it stands in; the empty text outside of all.
 * @property {string} kind
 * @property {boolean} failOpen True for a change that could let a call pass that the source stops.
 * @property {string} original The text that is changed, cut.
 * @property {string} replacement
 * @property {number} start
 * @property {number} end
 * @property {"expression" | "statement" | "body"} form How it is switched on.
 */

const S = ts.SyntaxKind;

/** @type {ReadonlyMap<ts.SyntaxKind, readonly string[]>} */
const comparisons = new Map([
  [S.EqualsEqualsEqualsToken, ["!=="]],
  [S.ExclamationEqualsEqualsToken, ["==="]],
  [S.LessThanToken, ["<=", ">="]],
  [S.LessThanEqualsToken, ["<", ">"]],
  [S.GreaterThanToken, [">=", "<="]],
  [S.GreaterThanEqualsToken, [">", "<"]],
]);
/** @type {ReadonlyMap<ts.SyntaxKind, string>} */
const arithmetic = new Map([
  [S.PlusToken, "-"],
  [S.MinusToken, "+"],
  [S.AsteriskToken, "/"],
  [S.SlashToken, "*"],
  [S.PercentToken, "*"],
]);
/** Words whose opposite lets a call pass. */
const opposites = new Map([
  ["deny", "allow"],
  ["denied", "executed"],
  ["withheld", "executed"],
]);
/** Functions that end a run, use something up, or throw where something is wrong. */
const refusing = /^(?:refuse\w*|deny|stop|abort|invalid|spend|require\w*|withhold\w*|void\w*)$/;
/** The rooms that a call goes through. */
const onTheWay = /\/src\/(?:call|guard|run|runner)\//;

/**
 * Lists the mutants of a source file, in its order. No two of them are alike.
 *
 * @param {string} file
 * @param {string} text
 * @returns {Mutant[]}
 */
export function mutantsOf(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** @type {Mutant[]} */
  const found = [];
  visit(source);
  return found.sort((one, other) => one.start - other.start || other.end - one.end);

  /**
   * @param {ts.Node} node
   * @param {string} kind
   * @param {string} replacement
   * @param {{ failOpen?: boolean, form?: Mutant["form"] }} [more]
   */
  function add(node, kind, replacement, { failOpen = false, form = "expression" } = {}) {
    const start = node.getStart(source);
    const original = node.getText(source).replaceAll(/\s+/g, " ").slice(0, 90);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const end = node.getEnd();
    const within = placeOf(node);
    found.push({ file, line, within, kind, failOpen, original, replacement, start, end, form });
  }

  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    ofCondition(node);
    ofExpression(node);
    ofStatement(node);
    ofFunction(node);
    ts.forEachChild(node, visit);
  }

  /** @param {ts.Node} node */
  function ofCondition(node) {
    if (ts.isIfStatement(node)) {
      add(node.expression, "condition is always true", "true");
      const failOpen = isRefusal(node.thenStatement);
      const kind = failOpen ? "check is skipped" : "condition is never true";
      add(node.expression, kind, "false", { failOpen });
    } else if (ts.isConditionalExpression(node)) {
      add(node.condition, "condition is always true", "true");
      add(node.condition, "condition is never true", "false");
    } else if (ts.isWhileStatement(node)) {
      add(node.expression, "condition is never true", "false");
    } else if (ts.isForStatement(node) && node.condition !== undefined) {
      add(node.condition, "condition is never true", "false");
    }
  }

  /** @param {ts.Node} node */
  function ofExpression(node) {
    if (ts.isBinaryExpression(node)) ofOperator(node);
    else if (ts.isPrefixUnaryExpression(node) && node.operator === S.ExclamationToken) {
      add(node, "negation is dropped", node.operand.getText(source));
    } else if (ts.isAwaitExpression(node)) {
      add(node, "await is dropped", node.expression.getText(source), { failOpen: true });
    } else if (node.kind === S.TrueKeyword && !ts.isLiteralTypeNode(node.parent)) {
      add(node, "literal is flipped", "false");
    } else if (node.kind === S.FalseKeyword && !ts.isLiteralTypeNode(node.parent)) {
      add(node, "literal is flipped", "true");
    } else if (ts.isNumericLiteral(node) && isValue(node)) {
      add(node, "number is one more", `(${node.getText(source)} + 1)`);
    } else if (ts.isStringLiteral(node) && isValue(node)) ofText(node);
    else if (ts.isTemplateExpression(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (!ts.isTaggedTemplateExpression(node.parent)) add(node, "text is emptied", '""');
    } else if (ts.isCallExpression(node)) ofHandlers(node);
  }

  /** @param {ts.BinaryExpression} node */
  function ofOperator(node) {
    const { operatorToken, left, right } = node;
    const [one, other] = [left.getText(source), right.getText(source)];
    const { kind } = operatorToken;
    for (const operator of comparisons.get(kind) ?? []) {
      add(node, "comparison is changed", `${one} ${operator} ${other}`);
    }
    const opposite = arithmetic.get(kind);
    if (opposite !== undefined && !isText(left) && !isText(right)) {
      add(node, "arithmetic is changed", `${one} ${opposite} ${other}`);
    }
    if (kind === S.AmpersandAmpersandToken || kind === S.BarBarToken) {
      const operator = kind === S.BarBarToken ? "&&" : "||";
      add(node, "logic is changed", `(${one}) ${operator} (${other})`);
    }
    const joins = [S.AmpersandAmpersandToken, S.BarBarToken, S.QuestionQuestionToken];
    if (joins.includes(kind)) {
      add(node, "only the left side", one);
      add(node, "only the right side", other);
    }
  }

  /** @param {ts.StringLiteral} node */
  function ofText(node) {
    const opposite = opposites.get(node.text);
    if (opposite !== undefined) {
      add(node, "deny is turned into allow", `"${opposite}"`, { failOpen: true });
    } else add(node, "text is emptied", node.text === "" ? '"mutated"' : '""');
  }

  /** A rejection handler that does something. @param {ts.CallExpression} node */
  function ofHandlers(node) {
    const { expression, arguments: given } = node;
    if (!ts.isPropertyAccessExpression(expression)) return;
    const name = expression.name.text;
    const handler = name === "then" ? given[1] : name === "catch" ? given[0] : undefined;
    if (handler !== undefined && !doesNothing(handler)) {
      add(handler, "rejection is swallowed", "() => undefined", { failOpen: true });
    }
  }

  /** @param {ts.Node} node */
  function ofStatement(node) {
    const form = "statement";
    if (ts.isExpressionStatement(node) && !isOfConstruction(node)) {
      const callee = calleeOf(node.expression);
      const failOpen = callee !== undefined && refusing.test(callee);
      add(node, failOpen ? "refusal is removed" : "statement is removed", "", { failOpen, form });
    } else if (ts.isThrowStatement(node)) {
      add(node, "throw is removed", "", { failOpen: true, form });
    } else if (ts.isCatchClause(node) && !isEmpty(node)) {
      add(node.block, "catch is swallowed", "{}", { failOpen: true, form });
    }
  }

  /** @param {ts.Node} node */
  function ofFunction(node) {
    if (!ts.isFunctionLike(node) || ts.isConstructorDeclaration(node)) return;
    const body = /** @type {ts.FunctionLikeDeclaration} */ (node).body;
    if (body === undefined || !ts.isBlock(body) || body.statements.length === 0) return;
    add(body, "function returns at once", "{ return; }", {
      failOpen: onTheWay.test(`/${file}`),
      form: "body",
    });
  }

  /** True for what does nothing but refuse, throw or return. @param {ts.Statement} statement */
  function isRefusal(statement) {
    const inner = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
    if (inner === undefined) return false;
    if (ts.isThrowStatement(inner) || ts.isReturnStatement(inner)) return true;
    const callee = ts.isExpressionStatement(inner) ? calleeOf(inner.expression) : undefined;
    return callee !== undefined && refusing.test(callee);
  }
}

/** The names of what a node stands in, such as `Deliberation.run`. @param {ts.Node} node */
function placeOf(node) {
  /** @type {string[]} */
  const names = [];
  for (let each = node.parent; each !== undefined; each = each.parent) {
    if (ts.isConstructorDeclaration(each)) names.unshift("constructor");
    else if (ts.isFunctionLike(each) || ts.isClassLike(each) || ts.isVariableDeclaration(each)) {
      const { name } = each;
      if (name !== undefined && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
        names.unshift(name.text);
      }
    }
  }
  return names.join(".");
}

/** @param {ts.Expression} expression */
function calleeOf(expression) {
  const call = ts.isAwaitExpression(expression) ? expression.expression : expression;
  if (!ts.isCallExpression(call)) return undefined;
  const { expression: callee } = call;
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : undefined;
}

/** True where a constructor must come first, and where a directive stands. @param {ts.ExpressionStatement} node */
function isOfConstruction({ expression }) {
  if (ts.isStringLiteral(expression)) return true;
  return ts.isCallExpression(expression) && expression.expression.kind === S.SuperKeyword;
}

/** True for a `catch` that does nothing, and for one that returns nothing at the end of its function. @param {ts.CatchClause} node */
function isEmpty({ block, parent }) {
  const [first] = block.statements;
  if (first === undefined) return true;
  if (!ts.isReturnStatement(first) || !isNothing(first.expression)) return false;
  const { parent: around } = parent;
  return (
    ts.isBlock(around) && ts.isFunctionLike(around.parent) && around.statements.at(-1) === parent
  );
}

/** @param {ts.Expression | undefined} value */
function isNothing(value) {
  return value === undefined || (ts.isIdentifier(value) && value.text === "undefined");
}

/** True for `() => {}`, and for `() => undefined`. @param {ts.Expression} handler */
function doesNothing(handler) {
  if (!ts.isArrowFunction(handler)) return false;
  const { body } = handler;
  return ts.isBlock(body) ? body.statements.length === 0 : isNothing(body);
}

/** @param {ts.Expression} node */
function isText(node) {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** False for a name of a member, and for a type. @param {ts.Node} node */
function isValue(node) {
  const { parent } = node;
  if (ts.isLiteralTypeNode(parent)) return false;
  const named = /** @type {{ name?: ts.Node }} */ (/** @type {unknown} */ (parent)).name;
  return named !== node;
}
