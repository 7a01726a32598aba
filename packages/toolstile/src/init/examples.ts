import { sep } from "node:path";
import type { ToolDefinition } from "@toolstile/core";
import { ownValue } from "@toolstile/core/provider";
import { quotedYaml } from "./yaml-text.js";

/** A rule that people often need, for arguments of certain names. */
interface ExampleKind {
  readonly id: string;
  readonly names: RegExp;
  /** The names of tools whose arguments are meant, if the argument's name alone does not tell. */
  readonly toolNames?: RegExp;
  readonly types: readonly string[];
  /** The lines of the rule after its tools. `AT` stands for the pointer. */
  readonly rule: readonly string[];
}

const texts = ["string"];
/** A folder as this machine writes it. */
const folder = sep === "/" ? "/srv/data" : "C:/data";

const kinds: readonly ExampleKind[] = [
  {
    id: "only-these-folders",
    names: /^(?:paths?|files?|file_?path|dir|directory|folder|source|destination)$/i,
    types: texts,
    rule: [
      "require:",
      "  all:",
      `    - { at: AT, pathUnder: ["${folder}"] }`,
      "    # This follows links on this machine. Leave it out if the tool runs elsewhere.",
      `    - { at: AT, realPathUnder: ["${folder}"] }`,
      'deny: "outside the folders that are allowed"',
    ],
  },
  {
    id: "only-these-hosts",
    names: /^(?:urls?|uri|href|endpoint)$/i,
    types: texts,
    rule: ['require: { at: AT, hostIn: ["example.com"] }', 'deny: "not one of our hosts"'],
  },
  {
    id: "only-these-commands",
    names: /^(?:command|cmd)$/i,
    types: texts,
    rule: [
      'require: { at: AT, command: ["git status", "git log *"] }',
      'ask: "a command that is not on the list"',
    ],
  },
  {
    id: "only-these-domains",
    names: /^(?:to|recipients?|email)$/i,
    toolNames: /mail|message|send|invite/i,
    types: texts,
    rule: ['require: { at: AT, emailDomain: ["example.com"] }', 'deny: "only to colleagues"'],
  },
  {
    id: "at-most",
    names: /^(?:amount|price|cents|quantity)$/i,
    types: ["number", "integer"],
    rule: ["when: { at: AT, above: 100 }", 'ask: "a large amount"'],
  },
];

/** More rules than these are not read. */
const mostRules = 8;

/** Rules as they may be wanted for these tools: one for each argument whose name tells what it is, about all tools that have it. */
export function exampleRules(tools: readonly ToolDefinition[]): readonly (readonly string[])[] {
  const rules = kinds.flatMap((kind) => {
    // One rule looks at one place.
    const byPlace = new Map<string, string[]>();
    for (const tool of tools) {
      for (const place of placesIn(tool, kind)) {
        byPlace.set(place, [...(byPlace.get(place) ?? []), tool.name]);
      }
    }
    return [...byPlace].map(([place, names], index) => {
      const id = index === 0 ? kind.id : `${kind.id}-${index + 1}`;
      return [
        `- id: ${id}`,
        "  tools:",
        ...names.map((name) => `    - ${quotedYaml(name)}`),
        ...kind.rule.map((line) => `  ${line.replace("AT", quotedYaml(place))}`),
      ];
    });
  });
  return rules.slice(0, mostRules);
}

/** The pointers to the arguments of a tool that a kind of rule is for. */
function placesIn(
  { name, parameters }: ToolDefinition,
  { names, toolNames, types }: ExampleKind,
): readonly string[] {
  const members: unknown = ownValue(parameters, "properties");
  if (toolNames?.test(name) === false || typeof members !== "object" || members === null) return [];
  return Object.entries(members).flatMap(([member, schema]) => {
    if (!names.test(member)) return [];
    const type = (of: unknown): string => String(ownValue(of, "type"));
    if (types.includes(type(schema))) return [`/${member}`];
    const items = ownValue(schema, "items");
    return type(schema) === "array" && types.includes(type(items)) ? [`/${member}/*`] : [];
  });
}
