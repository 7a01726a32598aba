import ts from "typescript";
import { functionsOf, nodesOf } from "./source.mjs";

/**
 * @typedef {import("./source.mjs").Source} Source
 * @typedef {import("./source.mjs").Fn} Fn
 *
 * @typedef {object} Rule One thing of which there could be a single implementation.
 * @property {string} name
 * @property {string} counts What is counted, in a sentence.
 * @property {(source: Source) => string[]} find What of it a file has, by name.
 * @property {boolean} [isFile] Whether it is a file, of which the lines count too.
 */

/** @type {readonly Rule[]} */
export const rules = [
  {
    name: "safe property read",
    counts:
      "functions that read an own property under a key that they were given: Object.hasOwn(…, key) and …[key], or getOwnPropertyDescriptor(…, key) and its value",
    find: ({ file }) =>
      functionsOf(file)
        .filter(({ fn, body }) => !isTest(fn) && readsOwn(fn, body))
        .map(({ name }) => name),
  },
  {
    name: "plain-object test",
    counts:
      "tests that say in one expression whether their parameter is an object, by typeof or its prototype, and look into nothing of it",
    find: ({ file }) =>
      functionsOf(file)
        .filter(
          ({ fn, body }) => isTest(fn) && fn.parameters.length === 1 && asksForObject(fn, body),
        )
        .map(({ name }) => name),
  },
  {
    name: "deep freeze",
    counts: "functions that call Object.freeze() and themselves",
    find: ({ file }) =>
      functionsOf(file)
        .filter(
          ({ name, body }) =>
            nodesOf(body).some((node) => callee(node) === "Object.freeze") && goesOn(body, name),
        )
        .map(({ name }) => name),
  },
  {
    name: "codeOf",
    counts: "functions of this name",
    find: named(/^codeOf$/),
  },
  {
    name: "textOf",
    counts: "functions of this name",
    find: named(/^textOf$/),
  },
  {
    name: "bounded wait",
    counts:
      "functions and classes at the top of a file that make or take up a promise (new Promise, Promise.resolve), and start a deadline or listen for an abort",
    find: ({ file }) =>
      file.statements.filter((statement) => isBoundedWait(statement)).map((each) => nameOf(each)),
  },
  {
    name: "option reader",
    counts: "functions that say ERR_INVALID_OPTION themselves",
    find: ({ file }) =>
      functionsOf(file)
        .filter(({ body }) =>
          nodesOf(body).some(
            (node) => ts.isStringLiteralLike(node) && node.text === "ERR_INVALID_OPTION",
          ),
        )
        .map(({ name }) => name),
  },
  {
    name: "durable file",
    counts: "files that open one exclusively or without following links, or have it synced",
    find: (source) => (nodesOf(source.file).some(isDurable) ? [`${source.lines} lines`] : []),
    isFile: true,
  },
  {
    name: "YAML with places",
    counts: "files that use the LineCounter of yaml, or the events of js-yaml",
    find: (source) =>
      nodesOf(source.file).some(
        (node) => ts.isIdentifier(node) && ["LineCounter", "parseEvents"].includes(node.text),
      )
        ? [`${source.lines} lines`]
        : [],
    isFile: true,
  },
  {
    name: "identity of a call spelt out",
    counts: `literals, patterns, classes, interfaces and parameter lists of core with five or more of a call's own facts`,
    find: (source) =>
      source.package === "core" ? nodesOf(source.file).filter(spellsOut).map(nameOf) : [],
  },
  {
    name: "audit verifier",
    counts: "functions of audit-log whose names begin with verify",
    find: (source) => (source.package === "audit-log" ? named(/^verify/)(source) : []),
  },
];

/**
 * @param {RegExp} pattern
 * @returns {Rule["find"]}
 */
function named(pattern) {
  return ({ file }) =>
    functionsOf(file)
      .map(({ name }) => name)
      .filter((name) => pattern.test(name));
}

/**
 * A function that says of itself that it answers with true or false.
 *
 * @param {Fn} fn
 */
function isTest({ type }) {
  return (
    type !== undefined &&
    (ts.isTypePredicateNode(type) || type.kind === ts.SyntaxKind.BooleanKeyword)
  );
}

/**
 * @param {Fn} fn
 * @param {ts.Node} body
 */
function readsOwn(fn, body) {
  const nodes = nodesOf(body);
  return fn.parameters
    .map(({ name }) => name.getText())
    .some((key) => {
      const looks = (/** @type {RegExp} */ by) =>
        nodes.some((node) => by.test(callee(node) ?? "") && argument(node, 1) === key);
      return (
        (looks(/\b(?:hasOwn|hasOwnProperty\.call)$/) &&
          nodes.some(
            (node) =>
              ts.isElementAccessExpression(node) && bare(node.argumentExpression).includes(key),
          )) ||
        (looks(/getOwnPropertyDescriptor$/) &&
          nodes.some((node) => ts.isIdentifier(node) && node.text === "value"))
      );
    });
}

/**
 * @param {Fn} fn
 * @param {ts.Node} body
 */
function asksForObject(fn, body) {
  const given = fn.parameters[0]?.name.getText();
  const nodes = nodesOf(body);
  const statements = ts.isBlock(body) ? body.statements : [];
  const asks = nodes.some(
    (node) =>
      (ts.isTypeOfExpression(node) &&
        bare(node.expression) === given &&
        node.parent.getText().endsWith('"object"')) ||
      (/getPrototypeOf$/.test(callee(node) ?? "") && argument(node, 0) === given),
  );
  const looksInto = nodes.some(
    (node) =>
      ((ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) &&
        bare(node.expression) === given) ||
      (ts.isCallExpression(node) && !/(?:\bisArray|getPrototypeOf)$/.test(callee(node) ?? "")),
  );
  return asks && !looksInto && statements.filter((each) => !leadsUp(each)).length <= 1;
}

/**
 * Says no, or holds the prototype for the expression that follows.
 *
 * @param {ts.Statement} statement
 */
function leadsUp(statement) {
  return ts.isVariableStatement(statement)
    ? /getPrototypeOf\(/.test(statement.getText())
    : ts.isIfStatement(statement) && /^return false;?$/.test(statement.thenStatement.getText());
}

/**
 * @param {ts.Expression} node
 * @returns {string}
 */
function bare(node) {
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node)
    ? bare(node.expression)
    : node.getText();
}

/**
 * @param {ts.Node} node
 * @param {number} index
 */
function argument(node, index) {
  const given = ts.isCallExpression(node) ? node.arguments[index] : undefined;
  return given === undefined ? undefined : bare(given);
}

/** @param {ts.Node} statement */
function isBoundedWait(statement) {
  const nodes = nodesOf(statement);
  const hasPromise = nodes.some(
    (node) =>
      callee(node) === "Promise.resolve" ||
      (ts.isNewExpression(node) && node.expression.getText() === "Promise"),
  );
  return (
    hasPromise &&
    nodes.some(
      (node) =>
        /(?:^deadline|\bsetTimeout)$/.test(callee(node) ?? "") ||
        (/addEventListener$/.test(callee(node) ?? "") && argument(node, 0) === '"abort"'),
    )
  );
}

/** @param {ts.Node} node */
function isDurable(node) {
  if (ts.isStringLiteralLike(node)) return /^wx\+?$/.test(node.text);
  return (
    ts.isIdentifier(node) && /^(?:O_NOFOLLOW|O_EXCL|fsync|fsyncSync|fdatasync)$/.test(node.text)
  );
}

const facts = new Set([
  "runId",
  "turnId",
  "callId",
  "toolName",
  "requestedName",
  "agentName",
  "context",
  "receipt",
]);

/** @param {ts.Node} node */
function spellsOut(node) {
  const parts = partsOf(node).map((part) => part.name?.getText() ?? "");
  return new Set(parts.filter((part) => facts.has(part))).size >= 5;
}

/**
 * @param {ts.Node} node
 * @returns {readonly { readonly name?: ts.Node | undefined }[]}
 */
function partsOf(node) {
  if (ts.isObjectLiteralExpression(node)) return node.properties;
  if (ts.isObjectBindingPattern(node)) return node.elements;
  if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) return node.members;
  if (ts.isConstructorDeclaration(node) || ts.isFunctionDeclaration(node)) return node.parameters;
  return [];
}

/** @param {ts.Node} node */
function callee(node) {
  return ts.isCallExpression(node) ? node.expression.getText() : undefined;
}

/**
 * Calls itself, or hands itself to what calls it.
 *
 * @param {ts.Node} body
 * @param {string} name
 */
function goesOn(body, name) {
  const nodes = nodesOf(body);
  // A value of that name inside is not the function.
  const isHidden = nodes.some(
    (node) =>
      (ts.isVariableDeclaration(node) || ts.isBindingElement(node)) && node.name.getText() === name,
  );
  if (isHidden) return false;
  return nodes.some(
    (node) =>
      ts.isCallExpression(node) &&
      (node.expression.getText() === name ||
        node.arguments.some((each) => ts.isIdentifier(each) && each.text === name)),
  );
}

/** @param {ts.Node} node */
function nameOf(node) {
  for (let each = node; each !== undefined; each = each.parent) {
    const { name } = /** @type {{ name?: ts.Node }} */ (/** @type {unknown} */ (each));
    if (name !== undefined && ts.isIdentifier(name)) return name.text;
  }
  return "(no name)";
}
