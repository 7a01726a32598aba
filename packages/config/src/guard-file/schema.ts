import type { ToolPattern } from "@toolstile/core";
import { didYouMean, longestToolPattern, quoted } from "@toolstile/core/host";
import { z } from "zod";
import type { Path } from "../yaml/path.js";
import type { Slices } from "../yaml/slices.js";
import type { Faults } from "./faults.js";

const must = (what: string) => ({
  error: (issue: { readonly input?: unknown }) =>
    issue.input === undefined ? "is missing" : `must be ${what}`,
});

/** A mapping with these keys and no others. */
function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return must("a mapping").error(issue);
      return (issue.keys as string[]).map((key) => noKey(key, known)).join("\n");
    },
  });
}

function noKey(key: string, known: readonly string[]): string {
  const hint = didYouMean(key, known);
  return `there is no key ${quoted(key)} here.${hint || ` There are: ${known.join(", ")}.`}`;
}

const text = (what: string) => z.string(must(what)).min(1, must(what));
const list = <Item extends z.ZodType>(item: Item, what: string) => z.array(item, must(what));
const mode = z
  .enum(["enforce", "shadow"], must("'enforce' or 'shadow'"))
  .describe("enforce: what it decides holds. shadow: it is recorded, and nothing else.");
const options = z
  .record(z.string(), z.unknown(), must("a mapping of options"))
  .describe("The options, as the plugin's own schema takes them.");
const use = text("the name of a package, or the path of a file that begins with './'").describe(
  'A package ("@toolstile/rate-limit", "some-package/sub") or a file ("./guards/mine.js") that exports a plugin.',
);

const toolRule = 'the name of a tool, or a pattern of names as { pattern: "github_*" }';
const toolName = text(toolRule).regex(
  /^[^*?]*$/,
  `must be ${toolRule}: a plain name is compared as it is`,
);
const toolPattern = text("a pattern of tool names").max(
  longestToolPattern,
  `must be of at most ${longestToolPattern} characters`,
);

const guard = section({
  use,
  with: options.optional(),
  tools: list(
    z.union([toolName, section({ pattern: toolPattern })], must(toolRule)),
    "a list of tool names",
  )
    .min(1, "names no tool: the guard would be off")
    .optional()
    .describe(
      'The tools that it has a say about, by their exact names, or by { pattern: "github_*" }. Absent: all.',
    ),
  mode: mode.optional(),
  failOpen: z
    .boolean(must("true or false"))
    .optional()
    .describe("true: where it fails (throws, takes too long), the call is allowed."),
  timeoutMs: z
    .number(must("a positive number of milliseconds"))
    .positive(must("a positive number of milliseconds"))
    .optional()
    .describe("Milliseconds that one of its answers may take. Default 5000."),
});
/** An observer, or the approver. */
const named = section({ use, with: options.optional() });

/** The schema of a file whose entries are held to these. */
function fileSchema(guard: z.ZodType, observer: z.ZodType, approver: z.ZodType) {
  const guards = list(guard, "a list of guards").describe("Asked in order. The first DENY stops.");
  return section({
    version: z.literal(1, must("1")).describe("The version of this format."),
    policyVersion: text("text that is not empty")
      .optional()
      .describe("Stands on every record. Default: a digest of the file and what it names."),
    mode: mode.optional(),
    guards,
    agents: z
      .record(
        text("a name that is not empty"),
        section({ guards }),
        must("a mapping by agent name"),
      )
      .optional()
      .describe("Further guards, for the calls of one agent each."),
    observers: list(observer, "a list of observers")
      .optional()
      .describe("Told of every call. They decide nothing."),
    approver: approver
      .optional()
      .describe("Lifts denials that a human can lift, such as those of rules with ask."),
    tools: z
      .union(
        [
          text("the path of a JSON file"),
          // Each is looked at, and has a fault of its own, when definitions are read.
          list(z.unknown(), "a list of tool definitions"),
        ],
        must("the path of a JSON file, or a list of tool definitions"),
      )
      .optional()
      .describe("The tools that there are, as MCP or OpenAI define them. Names are held to them."),
  });
}

/** Entries are checked one by one: there may be thousands, and most are known. */
const aroundEntries = fileSchema(z.unknown(), z.unknown(), z.unknown());

/** An observer, or the approver. */
export interface NamedEntry {
  readonly use: string;
  readonly with?: Record<string, unknown> | undefined;
}

export interface GuardEntry extends NamedEntry {
  readonly tools?: readonly (string | ToolPattern)[] | undefined;
  readonly mode?: "enforce" | "shadow" | undefined;
  readonly failOpen?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
}

/** An entry of a list, with its place there. */
export type Placed<Entry> = readonly [index: number, entry: Entry];

/** The well-formed parts of a file. */
export interface WellFormed {
  readonly policyVersion: string | undefined;
  readonly mode: "enforce" | "shadow";
  readonly guards: readonly Placed<GuardEntry>[];
  readonly agents: readonly (readonly [name: string, guards: readonly Placed<GuardEntry>[]])[];
  readonly observers: readonly Placed<NamedEntry>[];
  readonly approver: NamedEntry | undefined;
  readonly tools: string | readonly unknown[] | undefined;
}

/** The data of entries that have been found to be well-formed. */
export interface KnownEntries {
  readonly guards: { has(entry: unknown): boolean };
  readonly observers: { has(entry: unknown): boolean };
}

/** Hold data to the schema, and say in `faults` what does not fit. The rest is read, so that all faults are found at once. */
export async function wellFormed(
  data: unknown,
  faults: Faults,
  slices: Slices,
  known: KnownEntries,
): Promise<WellFormed> {
  addIssues(aroundEntries.safeParse(data), [], faults);
  const entries = async <Entry>(
    listed: unknown,
    schema: z.ZodType,
    before: KnownEntries["guards"],
    path: Path,
  ): Promise<readonly Placed<Entry>[]> => {
    const fitting: Placed<Entry>[] = [];
    for (const [index, entry] of Array.isArray(listed) ? listed.entries() : []) {
      if (slices.isOver) await slices.pause();
      const fits =
        before.has(entry) || addIssues(schema.safeParse(entry), [...path, index], faults);
      if (fits) fitting.push([index, entry]);
    }
    return fitting;
  };
  const guardsIn = (holder: unknown, path: Path) =>
    entries<GuardEntry>(mapping(holder)["guards"], guard, known.guards, [...path, "guards"]);
  // The data itself is read, whose objects have no prototype: an absent key is read from nowhere else.
  const file = mapping(data);
  const { policyVersion, mode, tools, approver } = file;
  const guards = await guardsIn(file, []);
  const agents: [string, readonly Placed<GuardEntry>[]][] = [];
  for (const [name, section] of Object.entries(mapping(file["agents"]))) {
    agents.push([name, await guardsIn(section, ["agents", name])]);
  }
  return {
    policyVersion: typeof policyVersion === "string" ? policyVersion : undefined,
    mode: mode === "shadow" ? "shadow" : "enforce",
    guards,
    agents,
    observers: await entries(file["observers"], named, known.observers, ["observers"]),
    approver: approver === undefined ? undefined : wellFormedNamed(approver, ["approver"], faults),
    tools: typeof tools === "string" || Array.isArray(tools) ? tools : undefined,
  };
}

/** @returns nothing where it does not fit, which `faults` then says. */
export function wellFormedNamed(
  entry: unknown,
  path: Path,
  faults: Faults,
): NamedEntry | undefined {
  return addIssues(named.safeParse(entry), path, faults) ? (entry as NamedEntry) : undefined;
}

/** @returns true if there are none. */
function addIssues({ error }: z.ZodSafeParseResult<unknown>, at: Path, faults: Faults): boolean {
  for (const issue of error?.issues ?? []) {
    const path = [...at, ...(issue.path as Path)];
    if (issue.code === "invalid_key") faults.add(path, "must be a name that is not empty");
    else if (issue.code !== "unrecognized_keys") faults.add(path, issue.message);
    else {
      for (const [index, message] of issue.message.split("\n").entries()) {
        faults.add([...path, issue.keys[index] as string], message);
      }
    }
  }
  return error === undefined;
}

function mapping(value: unknown): Readonly<Record<string, unknown>> {
  const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMapping ? (value as Record<string, unknown>) : Object.create(null);
}

/** The JSON Schema that editors use to check and complete a guard.yaml. */
export function guardFileJsonSchema(): object {
  const schema = z.toJSONSchema(fileSchema(guard, named, named), {
    target: "draft-7",
    io: "input",
  });
  return { ...schema, title: "guard.yaml", description: "Toolstile's guards, as data." };
}
