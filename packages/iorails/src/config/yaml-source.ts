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
} from "yaml";
import { type DataObject, emptyObject, isDataObject, plainData } from "./plain-data.js";
import type { Path, Position, Problems, Source } from "./problems.js";

/** What a configuration says in one place, unchecked. */
export interface SourceData extends Source {
  readonly data: DataObject;
}

/** Nodes that aliases may stand for in one file; more is an attempt to exhaust memory. */
const mostAliases = 100;

/** In our words: the library's own may quote the file. */
const syntaxProblems: ReadonlyMap<string, string> = new Map([
  ["DUPLICATE_KEY", "a key stands twice in one mapping"],
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
      uniqueKeys: true,
      prettyErrors: false,
      lineCounter: lines,
    });
    const faults = [...document.errors, ...document.warnings];
    // One slip makes many: of each kind only the first is told.
    for (const [index, fault] of faults.entries()) {
      if (faults.findIndex(({ code }) => code === fault.code) === index) syntax(fault);
    }
    const strayed = strayAlias(document);
    if (strayed !== undefined) {
      problems.addAt(file, "cannot be read as YAML: an alias names no anchor", at(strayed));
    }
    if (faults.length > 0 || strayed !== undefined) return undefined;

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

/** Where an alias stands that names no anchor, which the parser lets pass. */
function strayAlias(document: Document.Parsed): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return undefined;
      offset = rangeStart(alias) ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

function rangeStart(node: unknown): number | undefined {
  if (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)) return node.range?.[0];
  return undefined;
}
