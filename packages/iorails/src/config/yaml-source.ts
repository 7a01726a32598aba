import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type YAMLError,
  type YAMLMap,
} from "yaml";
import { type DataObject, emptyObject, isDataObject, plainData } from "./plain-data.js";
import type { Path, Position, Problems, Source } from "./problems.js";

/** What a configuration says in one place, unchecked. */
export interface SourceData extends Source {
  readonly data: DataObject;
}

/** Nodes that aliases may stand for in one file; more is an attempt to exhaust memory. */
const mostAliases = 100;

/** Values and keys of one file: some hundred times the largest configuration that is known. */
const mostNodes = 20_000;

/** In our words: the library's own may quote the file. */
const syntaxProblems: ReadonlyMap<string, string> = new Map([
  ["NON_STRING_KEY", "a key is not text"],
  ["TAB_AS_INDENT", "a tab is used to indent"],
  ["BAD_INDENT", "the indentation is wrong"],
  ["MULTIPLE_DOCS", "there is more than one document"],
  ["TAG_RESOLVE_FAILED", "tags are not supported"],
  ["MISSING_CHAR", "a quote, bracket or colon is missing"],
  ["RESOURCE_EXHAUSTION", "it is nested too deeply"],
]);

/**
 * Read YAML 1.2 with the core schema: no merge keys, no tags, no key twice.
 *
 * @returns nothing where the text cannot be read, which `problems` then says.
 */
export function readYaml(file: string, text: string, problems: Problems): SourceData | undefined {
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const syntax = (error: YAMLError): void => {
    const problem = syntaxProblems.get(error.code) ?? error.code.toLowerCase().replaceAll("_", " ");
    problems.addAt(file, `cannot be read as YAML: ${problem}`, at(error.pos[0]));
  };
  try {
    const document = parseDocument(text, {
      version: "1.2",
      schema: "core",
      merge: false,
      stringKeys: true,
      // Looked for below: the parser compares every two keys of a mapping.
      uniqueKeys: false,
      prettyErrors: false,
      lineCounter: lines,
    });
    const faults = [...document.errors, ...document.warnings];
    // One slip makes many: of each kind only the first is told.
    for (const [index, fault] of faults.entries()) {
      if (faults.findIndex(({ code }) => code === fault.code) === index) syntax(fault);
    }
    const offence = nodeOffence(document);
    if (offence !== undefined) {
      problems.addAt(file, `cannot be read as YAML: ${offence.problem}`, at(offence.offset));
    }
    if (faults.length > 0 || offence !== undefined) return undefined;

    const locate = (path: Path): Position | undefined => {
      let node: unknown = document.contents;
      let offset: number | undefined;
      for (const step of path) {
        if (isAlias(node)) node = node.resolve(document);
        if (isMap(node)) {
          const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
          if (pair === undefined) break;
          if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
          node = pair.value;
        } else if (isSeq(node) && typeof step === "number") {
          node = node.items[step];
          offset = rangeStart(node) ?? offset;
        } else break;
      }
      return offset === undefined ? undefined : at(offset);
    };
    return sourceData(file, document.toJS({ maxAliasCount: mostAliases }), locate, problems);
  } catch {
    // Too many aliases, or nested beyond what the parser's stack holds.
    problems.addAt(file, "cannot be read as YAML: too many aliases or nested too deeply");
    return undefined;
  }
}

/** What a caller gives as a value in place of a file. */
export function readObject(
  file: string,
  value: unknown,
  problems: Problems,
): SourceData | undefined {
  return sourceData(file, value, () => undefined, problems);
}

function sourceData(
  file: string,
  value: unknown,
  locate: Source["locate"],
  problems: Problems,
): SourceData | undefined {
  const source: Source = { file, locate };
  // An empty file says nothing.
  if (value === null || value === undefined) return { ...source, data: emptyObject() };
  const data = plainData(value, (path, problem) => problems.add(source, path, problem));
  if (isDataObject(data)) return { ...source, data };
  problems.addAt(file, "must hold keys at its top level");
  return undefined;
}

interface Offence {
  readonly problem: string;
  readonly offset: number;
}

/** What the parser lets pass: an alias that names no anchor, and more than anyone writes by hand. */
function nodeOffence(document: Document.Parsed): Offence | undefined {
  let offence: Offence | undefined;
  let nodes = 0;
  let aliases = 0;
  const offend = (problem: string, node: unknown): symbol => {
    offence = { problem, offset: rangeStart(node) ?? 0 };
    return visit.BREAK;
  };
  visit(document, {
    Node(_, node) {
      if (++nodes > mostNodes) return offend(`it has more than ${mostNodes} values and keys`, node);
      if (isMap(node)) return repeatedKey(node, offend);
      if (!isAlias(node)) return undefined;
      // Counted before they are looked up, each of which goes through the whole file.
      if (++aliases > mostAliases) return offend("it has too many aliases", node);
      return node.resolve(document) === undefined
        ? offend("an alias names no anchor", node)
        : undefined;
    },
  });
  return offence;
}

function repeatedKey(
  map: YAMLMap,
  offend: (problem: string, node: unknown) => symbol,
): symbol | undefined {
  const keys = new Set<string>();
  for (const { key } of map.items) {
    const name = isScalar(key) ? String(key.value) : undefined;
    if (name === undefined) continue;
    if (keys.has(name)) return offend("a key stands twice in one mapping", key);
    keys.add(name);
  }
  return undefined;
}

function rangeStart(node: unknown): number | undefined {
  if (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)) return node.range?.[0];
  return undefined;
}
