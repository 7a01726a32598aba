import type { ToolCall, ToolDefinition } from "@toolstile/core";
import {
  boolean,
  group,
  invalidOption,
  list,
  nonEmptyText,
  type OptionTable,
  oneOf,
  own,
  ownValue,
  type Pointer,
  patternDenies,
  quoted,
  readOptions,
  readPointer,
  required,
  text,
  unchecked,
} from "@toolstile/core/provider";
import { type Kind, kinds } from "../destinations/address.js";
import { confidentialities, type Integrity, integrities, type Label } from "./label.js";

export type Voucher = "user" | "fields" | "origin";
export const vouchers: readonly Voucher[] = ["user", "fields", "origin"];
export type Sink = "egress" | "irreversible";
export const sinks: readonly Sink[] = ["egress", "irreversible"];

/** A value of a call that says where something goes, or what it is done to. */
export interface DestinationTerms {
  /** A JSON Pointer into the arguments. `*` stands for each entry of a list. */
  readonly at: string;
  readonly kind: Kind;
  /** With `handle`, `id` and `text`: the set that it is of, as in "file". Fields of the same set vouch for it. */
  readonly of?: string | undefined;
  /** Default: all. The user always vouches. */
  readonly vouchedBy?: readonly Voucher[] | undefined;
}

/** A part of a result with a label of its own. */
export interface FieldTerms {
  /** A JSON Pointer into the structured result, or into the JSON of its text. */
  readonly at: string;
  /** Each line is a value, where the text is not JSON. */
  readonly lines?: boolean | undefined;
  /** With `lines`: where the list begins, as in "Names: ". */
  readonly after?: string | undefined;
  /** "trusted": nobody else can choose it, and it vouches for calls. "origin": the address of who wrote the result. "untrusted": somebody else may have written it. */
  readonly integrity: Integrity | "origin";
  /** Required of a field that vouches. */
  readonly kind?: Kind | undefined;
  readonly of?: string | undefined;
}

/** The declarations of a host about some tools. */
export interface ToolTerms {
  /** Exact names, or `{ pattern: "github_*" }`. */
  readonly tools: readonly (string | { readonly pattern: string })[];
  /** Only tools of this MCP server. */
  readonly server?: string | undefined;
  /** The label of results. Default: untrusted, "tenant", from the tool. */
  readonly result?: Label | undefined;
  readonly fields?: readonly FieldTerms[] | undefined;
  /** The effects of the tool: it sends data out, or cannot be undone. `[]`: neither. Default: `["egress"]`. */
  readonly sinks?: readonly Sink[] | undefined;
  readonly destinations?: readonly DestinationTerms[] | undefined;
  /** False if nobody follows URLs in its texts. Default true. */
  readonly links?: boolean | undefined;
}

export interface Destination {
  readonly at: string;
  readonly pointer: Pointer;
  readonly kind: Kind;
  readonly of: string | undefined;
  readonly vouchedBy: ReadonlySet<Voucher>;
}

export interface Field extends Omit<FieldTerms, "at"> {
  readonly pointer: Pointer;
}

/** The terms of one call. */
export interface Terms {
  /** False for a tool about which nothing was declared. */
  readonly isDeclared: boolean;
  readonly label: Label;
  readonly fields: readonly Field[];
  readonly sinks: ReadonlySet<Sink>;
  readonly destinations: readonly Destination[];
  readonly links: boolean;
}

const destinationTable = {
  at: required(text("a JSON Pointer")),
  kind: required(oneOf(...kinds)),
  of: nonEmptyText(),
  vouchedBy: list(oneOf(...vouchers), 'a list of "user", "fields" and "origin"'),
} satisfies OptionTable<DestinationTerms>;

const fieldTable = {
  at: required(text("a JSON Pointer")),
  lines: boolean(),
  after: nonEmptyText(),
  integrity: required(oneOf("trusted", "origin", "untrusted")),
  kind: oneOf(...kinds),
  of: nonEmptyText(),
} satisfies OptionTable<FieldTerms>;

const table = {
  tools: required(
    list(unchecked<string | { readonly pattern: string }>(), "a list of tools", { least: 1 }),
  ),
  server: nonEmptyText(),
  result: group({
    integrity: oneOf(...integrities),
    confidentiality: oneOf(...confidentialities),
    source: nonEmptyText(),
  }),
  fields: list(group(fieldTable), "a list of { at, integrity }"),
  sinks: list(oneOf(...sinks), 'a list of "egress" and "irreversible"'),
  destinations: list(group(destinationTable), "a list of { at, kind }"),
  links: boolean(),
} satisfies OptionTable<ToolTerms>;

interface Entry {
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly string[];
  readonly server: string | undefined;
  readonly terms: Terms;
}

const undeclared: Terms = {
  isDeclared: false,
  label: {},
  fields: [],
  sinks: new Set(["egress"]),
  destinations: [],
  links: true,
};

/** The declarations of a host about its tools. */
export class DeclaredTerms {
  readonly #entries: readonly Entry[];

  /** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, with the place and the way out. */
  constructor(where: string, given: readonly ToolTerms[]) {
    this.#entries = given.map((each, index) => readEntry(`${where}: tools[${index}]`, each));
    const seen = new Set<string>();
    for (const { names, server } of this.#entries) {
      for (const name of names) {
        const key = JSON.stringify([server ?? null, name]);
        if (seen.has(key)) {
          throw invalidOption(where, `two entries of 'tools' name ${quoted(name)}. Join them.`);
        }
        seen.add(key);
      }
    }
  }

  get labels(): readonly Label[] {
    return this.#entries.map(({ terms }) => terms.label);
  }

  /** The names that no server is given for. */
  get names(): readonly string[] {
    return this.#entries.flatMap(({ names, server }) => (server === undefined ? [...names] : []));
  }

  /** The terms of a call. A server's own annotations only ever tighten them. */
  of({ toolName, tool, context }: Pick<ToolCall, "toolName" | "tool" | "context">): Terms {
    const server = ownValue(own(context, "attributes"), "mcpServer");
    const entries = this.#entries.filter(
      (entry) => entry.server === undefined || entry.server === server,
    );
    const entry =
      entries.find(({ names, server }) => server !== undefined && names.has(toolName)) ??
      entries.find(({ names }) => names.has(toolName)) ??
      entries.find(({ patterns }) => patterns.some((pattern) => patternDenies(pattern, toolName)));
    return tightened(entry?.terms ?? undeclared, tool);
  }
}

function tightened(terms: Terms, tool: ToolDefinition | undefined): Terms {
  const annotations = tool === undefined ? undefined : own(tool, "annotations");
  const isOpen = ownValue(annotations, "openWorldHint") === true;
  const destroys = ownValue(annotations, "destructiveHint") === true;
  const reads = ownValue(annotations, "readOnlyHint") === true;
  if (!isOpen && !(destroys && !reads)) return terms;
  const more = new Set(terms.sinks);
  if (isOpen) more.add("egress");
  if (destroys && !reads) more.add("irreversible");
  const label = isOpen ? { ...terms.label, integrity: "untrusted" as const } : terms.label;
  return { ...terms, sinks: more, label };
}

function readEntry(where: string, given: unknown): Entry {
  const read = readOptions(where, given, table);
  const names = read.tools.filter(
    (each): each is string => typeof each === "string" && each !== "",
  );
  const patterns = read.tools.flatMap((each) => {
    const pattern = ownValue(each, "pattern");
    return typeof pattern === "string" && pattern !== "" ? [pattern] : [];
  });
  if (names.length + patterns.length !== read.tools.length) {
    throw invalidOption(
      where,
      "'tools' must be a list of names, or of patterns as in { pattern: \"github_*\" }.",
    );
  }
  const destinations = (read.destinations ?? []).map((each, index) => ({
    at: each.at,
    pointer: readPointer(each.at, where, `destinations[${index}].at`),
    kind: each.kind,
    of: each.of,
    vouchedBy: new Set(each.vouchedBy ?? vouchers),
  }));
  const fields = (read.fields ?? []).map(({ at, ...each }, index) => {
    const option = `fields[${index}]`;
    if (each.integrity !== "untrusted" && each.kind === undefined) {
      throw invalidOption(
        where,
        `'${option}' must have a 'kind': it says what the field vouches for.`,
      );
    }
    if (each.after !== undefined && each.lines !== true) {
      throw invalidOption(where, `'${option}.after' must stand beside 'lines: true'.`);
    }
    return { ...each, pointer: readPointer(at, where, `${option}.at`) };
  });
  return {
    names: new Set(names),
    patterns,
    server: read.server,
    terms: {
      isDeclared: true,
      label: read.result ?? {},
      fields,
      sinks: new Set(read.sinks ?? ["egress"]),
      destinations,
      links: read.links ?? true,
    },
  };
}
