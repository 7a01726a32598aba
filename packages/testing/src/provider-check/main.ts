import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkProvider, type Kind, kinds } from "./check-provider.js";

const help = `Usage: toolstile-provider-check [FOLDER] [--kind guard|observer|approver] [--json]

Holds a package to the shape of a provider: its package.json, its entry points with their types, its
README's five parts, the JSON Schema of its options, and a test with the conformance kit. Build the
package first: its code is loaded. The folder is by default the current one.

Example:
  npm run build && npx toolstile-provider-check

Options:
  --kind KIND   what its plugin makes; by default a guard
  --json        print { name, faults } as JSON
  --help        this text

Exit codes: 0, it has the shape; 1, it has not; 2, the command line or the folder is wrong.
`;

/** The streams that the program writes to. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs the program, and returns its exit code. */
export async function main(argv: readonly string[], { out, err }: Output): Promise<number> {
  const given = readArguments(argv);
  if (typeof given === "string") {
    err(`toolstile-provider-check: ${given}\n\n${help}`);
    return 2;
  }
  if (given.help) {
    out(help);
    return 0;
  }
  try {
    const { name, faults } = await checkProvider(resolve(given.folder), given.kind);
    if (given.json) out(`${JSON.stringify({ name, faults }, undefined, 2)}\n`);
    else if (faults.length === 0) out(`${name} has the shape of a provider.\n`);
    else out(faults.map((fault) => `${name}: ${fault}\n`).join(""));
    return faults.length === 0 ? 0 : 1;
  } catch (error) {
    err(`toolstile-provider-check: ${given.folder}: ${(error as Error).message}\n`);
    return 2;
  }
}

interface Given {
  readonly folder: string;
  readonly kind: Kind;
  readonly json: boolean;
  readonly help: boolean;
}

/** The arguments, or what is wrong with them. */
function readArguments(argv: readonly string[]): Given | string {
  const options = {
    kind: { type: "string", default: "guard" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const kind = kinds.find((each) => each === values.kind);
    if (kind === undefined) return `'--kind' must be one of ${kinds.join(", ")}.`;
    if (positionals.length > 1) return "only one folder can be checked at once.";
    return { folder: positionals[0] ?? ".", kind, json: values.json, help: values.help };
  } catch (error) {
    return (error as Error).message;
  }
}
