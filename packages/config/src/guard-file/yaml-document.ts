import type { JsonObject, JsonValue } from "@toolstile/core";
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
} from "yaml";
import type { Faults, Path, Position } from "./faults.js";

/** Aliases of one file, and what they may stand for altogether; more is an attempt to exhaust memory. */
const mostAliases = 100;
/** Values and keys of one file, and of what it comes to with its aliases. */
const mostNodes = 50_000;
const deepest = 64;

/** In our words: the library's own may quote the file. */
const syntaxFaults: ReadonlyMap<string, string> = new Map([
  ["NON_STRING_KEY", "a key is not text"],
  ["TAB_AS_INDENT", "a tab is used to indent; YAML takes spaces only"],
  ["BAD_SCALAR_START", "a text that begins with a sign such as @ or ` needs quotes"],
  ["BAD_INDENT", "the indentation is wrong"],
  ["MULTIPLE_DOCS", "there is more than one document"],
  ["TAG_RESOLVE_FAILED", "tags of your own are not supported"],
  ["MISSING_CHAR", "a quote, bracket or colon is missing"],
  ["RESOURCE_EXHAUSTION", "it is nested too deeply"],
]);

/**
 * Read YAML 1.2 with the core schema, and JSON, which it holds: one document,
 * no key twice, no merge keys, no directives, no tags of one's own, and only
 * what JSON can say.
 *
 * @returns nothing where the text cannot be read, which `faults` then says.
 */
export function readYaml(text: string, faults: Faults): JsonValue | undefined {
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const document = parsed(text, lines);
  if (document === undefined) {
    faults.addAt(undefined, "it is nested too deeply");
    return undefined;
  }
  faults.locate = (path) => locate(document, path, at);
  const found = faults.list.length;
  for (const error of syntaxErrors(document)) {
    const problem = syntaxFaults.get(error.code) ?? error.code.toLowerCase().replaceAll("_", " ");
    faults.addAt(at(error.pos[0]), `cannot be read as YAML: ${problem}`);
  }
  if (document.directives.yaml.explicit === true || hasTagDirective(document)) {
    faults.addAt(at(0), "cannot be read as YAML: directives are not supported");
  }
  for (const { problem, offset } of offences(document)) faults.addAt(at(offset), problem);
  if (faults.list.length > found) return undefined;
  return asJson(document, faults);
}

function parsed(text: string, lineCounter: LineCounter): Document.Parsed | undefined {
  try {
    return parseDocument(text, {
      version: "1.2",
      schema: "core",
      merge: false,
      stringKeys: true,
      // Looked for below: the parser compares every two keys of a mapping.
      uniqueKeys: false,
      prettyErrors: false,
      lineCounter,
    });
  } catch {
    // Nested beyond what the parser's stack holds.
    return undefined;
  }
}

/** One slip makes many: of each kind only the first is told. */
function syntaxErrors(document: Document.Parsed): readonly YAMLError[] {
  const all: YAMLError[] = [...document.errors, ...document.warnings];
  return all.filter((error, index) => all.findIndex(({ code }) => code === error.code) === index);
}

function hasTagDirective({ directives }: Document.Parsed): boolean {
  return Object.keys(directives.tags).some((handle) => handle !== "!!");
}

interface Offence {
  readonly problem: string;
  readonly offset: number;
}

/** What the parser lets pass. */
function offences(document: Document.Parsed): readonly Offence[] {
  const found: Offence[] = [];
  const offend = (problem: string, node: unknown): undefined => {
    found.push({ problem, offset: startOf(node) ?? 0 });
    return undefined;
  };
  let nodes = 0;
  let aliases = 0;
  visit(document, {
    Node(_, node) {
      if (found.length >= 20) return visit.BREAK;
      if (++nodes > mostNodes) {
        offend(`it has more than ${mostNodes} values and keys`, node);
        return visit.BREAK;
      }
      if (isMap(node)) return wrongKeys(node, offend);
      if (isScalar(node)) return wrongScalar(node, offend);
      if (!isAlias(node)) return undefined;
      // Counted before they are looked up, each of which goes through the whole file.
      if (++aliases > mostAliases) {
        offend(`it has more than ${mostAliases} aliases`, node);
        return visit.BREAK;
      }
      if (node.resolve(document) === undefined) offend("an alias names no anchor", node);
      return undefined;
    },
  });
  return found;
}

type Offend = (problem: string, node: unknown) => undefined;

function wrongKeys(map: YAMLMap, offend: Offend): undefined {
  const keys = new Set<string>();
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    const name = String(key.value);
    if (name === "__proto__") offend("the key '__proto__' cannot be used", key);
    if (name === "<<" && key.type === "PLAIN") offend("merge keys are not supported", key);
    if (keys.has(name)) offend("a key stands twice in one mapping", key);
    keys.add(name);
  }
}

function wrongScalar({ value, range }: Scalar, offend: Offend): undefined {
  const node = { range };
  if (typeof value === "string" && !value.isWellFormed())
    offend("a text holds half a character", node);
  if (typeof value !== "number") return;
  if (!Number.isFinite(value)) offend("a number is not finite", node);
  else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    offend("a number is too large to be held exactly; write it as text", node);
  }
}

function startOf(node: unknown): number | undefined {
  const { range } = Object(node) as { readonly range?: readonly number[] | null };
  return range?.[0];
}

function locate(
  document: Document.Parsed,
  path: Path,
  at: (offset: number) => Position,
): Position | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined = startOf(node);
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => isScalar(key) && String(key.value) === String(step),
      );
      // What is missing is missing from here.
      if (pair === undefined) break;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof step === "number") {
      node = node.items[step];
      offset = startOf(node) ?? offset;
    } else break;
  }
  return offset === undefined ? undefined : at(offset);
}

/** A copy whose objects have no prototype, so that reading a key never reaches a polluted one. */
function asJson(document: Document.Parsed, faults: Faults): JsonValue | undefined {
  let nodes = 0;
  const copy = (value: unknown, path: Path): JsonValue => {
    if (++nodes > mostNodes) throw new RangeError();
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return value;
    if (path.length >= deepest) {
      faults.add(path, `is nested deeper than ${deepest} levels`);
      return null;
    }
    if (Array.isArray(value)) return value.map((item, index) => copy(item, [...path, index]));
    if (Object.getPrototypeOf(value) !== Object.prototype) {
      faults.add(path, "is not a value that JSON can hold");
      return null;
    }
    const object: Record<string, JsonValue> = Object.create(null);
    for (const [key, member] of Object.entries(value as object)) {
      object[key] = copy(member, [...path, key]);
    }
    return object as JsonObject;
  };
  const found = faults.list.length;
  try {
    const json = copy(document.toJS({ maxAliasCount: mostAliases }), []);
    return faults.list.length > found ? undefined : json;
  } catch {
    faults.addAt(undefined, "its aliases stand for too much, or it is nested too deeply");
    return undefined;
  }
}
