import { isJsonObject, longestToolPattern, type ToolPattern } from "@toolstile/core/provider";
import type { Path } from "../yaml/path.js";
import type { Slices } from "../yaml/slices.js";
import type { Faults } from "./faults.js";
import {
  anything,
  described,
  type Form,
  list,
  mappingOf,
  optional,
  section,
  text,
  textOr,
  textThat,
  value,
} from "./form.js";

const modes = ["enforce", "shadow"];
const mode = described(
  "enforce: what it decides holds. shadow: it is recorded, and nothing else.",
  value("'enforce' or 'shadow'", { type: "string", enum: modes }, (given) =>
    modes.includes(given as string),
  ),
);
const options = described(
  "The options, as the plugin's own schema takes them.",
  value(
    "a mapping of options",
    { type: "object", propertyNames: { type: "string" }, additionalProperties: {} },
    isJsonObject,
  ),
);
const use = described(
  'A package ("@toolstile/rate-limit", "some-package/sub") or a file ("./guards/mine.js") that exports a plugin.',
  text("the name of a package, or the path of a file that begins with './'"),
);

const toolRule = 'the name of a tool, or a pattern of names as { pattern: "github_*" }';
const toolName = textThat(
  text(toolRule),
  { pattern: "^[^*?]*$" },
  (name) => !/[*?]/.test(name),
  `must be ${toolRule}: a plain name is compared as it is`,
);
const toolPattern = textThat(
  text("a pattern of tool names"),
  { maxLength: longestToolPattern },
  ({ length }) => length <= longestToolPattern,
  `must be of at most ${longestToolPattern} characters`,
);

const guard = section({
  use,
  with: optional(options),
  tools: optional(
    described(
      'The tools that it has a say about, by their exact names, or by { pattern: "github_*" }. Absent: all.',
      list(
        textOr(toolName, section({ pattern: toolPattern }), isJsonObject, toolRule),
        "a list of tool names",
        "names no tool: the guard would be off",
      ),
    ),
  ),
  mode: optional(mode),
  failOpen: optional(
    described(
      "true: where it fails (throws, takes too long), the call is allowed.",
      value("true or false", { type: "boolean" }, (given) => typeof given === "boolean"),
    ),
  ),
  timeoutMs: optional(
    described(
      "Milliseconds that one of its answers may take. Default 5000.",
      value(
        "a positive number of milliseconds",
        { type: "number", exclusiveMinimum: 0 },
        (given) => typeof given === "number" && given > 0,
      ),
    ),
  ),
});
/** An observer, or the approver. */
const named = section({ use, with: optional(options) });

/** The form of a file whose entries have these. */
function fileForm(guard: Form, observer: Form, approver: Form): Form {
  const guards = described(
    "Asked in order. The first DENY stops.",
    list(guard, "a list of guards"),
  );
  return section({
    version: described(
      "The version of this format.",
      value("1", { type: "number", const: 1 }, (given) => given === 1),
    ),
    policyVersion: optional(
      described(
        "Stands on every record. Default: a digest of the file and what it names.",
        text("text that is not empty"),
      ),
    ),
    mode: optional(mode),
    guards,
    agents: optional(
      described(
        "Further guards, for the calls of one agent each.",
        mappingOf(section({ guards }), "a mapping by agent name", "a name that is not empty"),
      ),
    ),
    observers: optional(
      described("Told of every call. They decide nothing.", list(observer, "a list of observers")),
    ),
    approver: optional(
      described("Lifts denials that a human can lift, such as those of rules with ask.", approver),
    ),
    tools: optional(
      described(
        "The tools that there are, as MCP or OpenAI define them. Names are held to them.",
        textOr(
          text("the path of a JSON file"),
          // Each is looked at, and has a fault of its own, when definitions are read.
          list(anything, "a list of tool definitions"),
          Array.isArray,
          "the path of a JSON file, or a list of tool definitions",
        ),
      ),
    ),
  });
}

/** Entries are checked one by one: there may be thousands, and most are known. */
const aroundEntries = fileForm(anything, anything, anything);

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
  fits(aroundEntries, data, [], faults);
  const entries = async <Entry>(
    listed: unknown,
    form: Form,
    before: KnownEntries["guards"],
    path: Path,
  ): Promise<readonly Placed<Entry>[]> => {
    const fitting: Placed<Entry>[] = [];
    for (const [index, entry] of Array.isArray(listed) ? listed.entries() : []) {
      if (slices.isOver) await slices.pause();
      if (before.has(entry) || fits(form, entry, [...path, index], faults)) {
        fitting.push([index, entry]);
      }
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
  return fits(named, entry, path, faults) ? (entry as NamedEntry) : undefined;
}

/** Says in `faults` what does not fit. @returns true if there is nothing. */
function fits(form: Form, given: unknown, at: Path, faults: Faults): boolean {
  let isRight = true;
  form.check(given, at, (path, message) => {
    isRight = false;
    faults.add(path, message);
  });
  return isRight;
}

function mapping(given: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(given) ? given : Object.create(null);
}

/** The JSON Schema that editors use to check and complete a guard.yaml. */
export function guardFileJsonSchema(): object {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    ...fileForm(guard, named, named).schema,
    title: "guard.yaml",
    description: "Toolstile's guards, as data.",
  };
}
