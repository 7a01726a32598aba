import type { ToolDefinition } from "@toolstile/core";
import { exampleRules } from "./examples.js";
import { type Harm, kindOfTool } from "./tool-kind.js";
import { commentText, quotedYaml } from "./yaml-text.js";

/** A tool that a guard.yaml cannot have, and why. */
export interface LeftOutTool {
  readonly name: string;
  readonly why: string;
}

export interface FirstGuardFile {
  readonly tools: readonly ToolDefinition[];
  readonly leftOut: readonly LeftOutTool[];
  /** The path of the file with the tools, from the folder of the guard.yaml; undefined if no such file can be named. */
  readonly toolsPath: string | undefined;
}

const denied: readonly string[] = [
  "These tools may destroy something: every call of them is denied. To let a human decide, write the",
  "word ask in place of deny. To allow some calls, take the tool out of this rule, and write a rule with",
  "a condition for it.",
];
const asked: readonly string[] = [
  "These tools change something, or do not say that they only read: a human is asked before each",
  "call. As long as the file has no approver (see its end), these calls are denied. To allow all",
  "calls of a tool, take it out of this rule.",
];
const askedForSecrets: readonly string[] = [
  "These tools only read, and may show secrets: a human is asked before each call. What the model reads,",
  "it may send elsewhere. If a tool shows none (a keyword is no key), take it out of this rule.",
];

const approver: readonly string[] = [
  "",
  "# The approver, which rules with ask need. Take the # away, and choose where the questions are kept: the",
  "# path is relative to the working directory. toolstile approvals --help tells how they are answered.",
  "# approver:",
  '#   use: "@toolstile/approval"',
  "#   with:",
  '#     folder: { path: "./approvals" }',
];

const auditLog: readonly string[] = [
  "",
  "# An audit log: one record of each call. Take the # away, and choose the folder: its path is relative to the",
  "# working directory. toolstile audit lists the calls, and toolstile verify finds out if the log was changed.",
  "# observers:",
  '#   - use: "@toolstile/audit-log"',
  "#     with:",
  '#       folder: { path: "./audit" }',
];

/** The text of a first guard.yaml: it allows what only reads, asks about changes and secrets, and denies what may destroy. */
export function guardYaml({ tools, leftOut, toolsPath }: FirstGuardFile): string {
  const byHarm = (harm: Harm) => tools.filter((tool) => kindOfTool(tool).harm === harm);
  const destroying = byHarm("destroys");
  const changing = byHarm("changes");
  const showing = byHarm("shows");
  const rules = [
    ...rule(
      "no-destruction",
      denied,
      destroying,
      "deny",
      "this tool may destroy something, and is not allowed",
    ),
    ...rule("ask-before-changes", asked, changing, "ask", "this tool may change something"),
    ...rule("ask-before-secrets", askedForSecrets, showing, "ask", "this tool may show secrets"),
  ];
  const examples = exampleRules(tools);
  return `${[
    "# yaml-language-server: $schema=./node_modules/@toolstile/config/guard.schema.json",
    "# A first policy, written by toolstile init. Read each line, and change what is not right for you.",
    "# What a tool says of itself is not proved: trust it as far as you trust who wrote it.",
    "# The page guard.yaml of Toolstile's documentation explains the keys, and the page Rules the rules.",
    "",
    "# The version of this format.",
    "version: 1",
    "",
    ...declaration(toolsPath),
    "",
    "# The guards. They are asked in this order, and the first that denies ends the call.",
    "guards:",
    "  # Only these tools may be called. Any other is denied, also one that comes later.",
    '  - use: "@toolstile/allowlist"',
    "    with:",
    "      allow:",
    ...tools.flatMap(allowed),
    ...leftOut.map(
      ({ name, why }) => `        # Left out, since ${commentText(why)}: ${commentText(name)}`,
    ),
    "",
    "  # Arguments must be as the tool declares them.",
    '  - use: "@toolstile/schema"',
    "",
    ...ruleGuard(rules, examples),
    ...(changing.length + showing.length === 0 ? [] : approver),
    ...auditLog,
  ].join("\n")}\n`;
}

function declaration(toolsPath: string | undefined): readonly string[] {
  if (toolsPath === undefined) {
    return [
      "# The file with the tools is not named here, since some of them cannot be used. Name it when it is",
      "# corrected, so that toolstile check holds the rules to what the tools declare:",
      '# tools: "./tools.json"',
    ];
  }
  return [
    "# The tools that there are. toolstile check holds the rules to what they declare.",
    `tools: ${quotedYaml(toolsPath)}`,
  ];
}

/** A comment with what the tool says it is for, and its name. */
function allowed(tool: ToolDefinition): readonly string[] {
  const { harm, why } = kindOfTool(tool);
  const effect = {
    reads: "Allowed",
    shows: "Asked about below",
    changes: "Asked about below",
    destroys: "Denied below",
  }[harm];
  const words = commentText(tool.description ?? "");
  return [
    ...(words === "" ? [] : [`        # ${words}`]),
    `        # ${effect}: ${why}.`,
    `        - ${quotedYaml(tool.name)}`,
  ];
}

function rule(
  id: string,
  comment: readonly string[],
  tools: readonly ToolDefinition[],
  effect: "deny" | "ask",
  reason: string,
): readonly string[] {
  if (tools.length === 0) return [];
  return [
    ...comment.map((line) => `        # ${line}`),
    `        - id: ${id}`,
    "          # The tools that the rule is about.",
    "          tools:",
    ...tools.map(({ name }) => `            - ${quotedYaml(name)}`),
    "          # The reason, which the model reads.",
    `          ${effect}: ${quotedYaml(reason)}`,
  ];
}

function ruleGuard(
  rules: readonly string[],
  examples: readonly (readonly string[])[],
): readonly string[] {
  const head = ['  - use: "@toolstile/rules"', "    with:", "      rules:"];
  const shown = examples.flatMap((lines) => ["", ...lines.map((line) => `        # ${line}`)]);
  const invitation = [
    "        # Rules as they may be wanted for these tools. Take the # away, and put in what is right for you.",
    ...shown,
  ];
  const comment = "  # Rules. They only restrict, and in doubt they apply.";
  if (rules.length > 0) {
    return [comment, ...head, ...rules, ...(shown.length === 0 ? [] : ["", ...invitation])];
  }
  if (shown.length === 0) return ["  # No rules: nothing here seems to change anything."];
  return [
    `${comment} There are none yet: take the # away here too.`,
    ...head.map((line) => `  # ${line.slice(2)}`),
    ...invitation,
  ];
}
