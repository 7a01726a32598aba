import { createRequire } from "node:module";
import { type Creator, readTemplate, templateFolder, withVersion } from "create-toolstile";
import { identifiersOf } from "./identifiers.js";

const placeholders = /toolstile-provider-text-limit|text-limit|textLimit|TextLimit/g;

const help = `Usage: npm create toolstile-provider [FOLDER] [-- OPTION…]

Makes a package with a guard of your own, ready to publish: options with a schema for guard.yaml, tests
with the conformance kit, a README. In a terminal, it asks for what is not given. A folder that is not
empty is refused.

Example:
  npm create toolstile-provider -- --name toolstile-provider-office-hours

Options:
  --name NAME   the name of the package; by default the folder's
  --yes         ask nothing: what is not given has its default
  --json        print { name, folder, files, next } as JSON, and ask nothing
  --help        this text

Exit codes: 0, it was made; 1, it could not be written; 2, the command line is wrong.
`;

/** `npm create toolstile-provider`: a provider package. */
export const provider: Creator = {
  program: "create-toolstile-provider",
  help,
  defaultName: "toolstile-provider-text-limit",
  filesFor: (name) => {
    const files = readTemplate(templateFolder(import.meta.url, "provider"));
    const text = [...files.values()].join("\n").replaceAll(placeholders, "");
    const { guard, camel, pascal } = identifiersOf(name, new Set(text.match(/[A-Za-z_$][\w$]*/g)));
    const renamed = new Map([
      ["toolstile-provider-text-limit", name],
      ["text-limit", guard],
      ["textLimit", camel],
      ["TextLimit", pascal],
    ]);
    const inWords = (of: string) => of.replace(placeholders, (word) => renamed.get(word) as string);
    const { version } = createRequire(import.meta.url)("../package.json") as { version: string };
    return new Map(
      Array.from(files, ([path, content]) => [
        inWords(path),
        inWords(path === "package.json" ? withVersion(content, version) : content),
      ]),
    );
  },
  next: ["npm install", "npm run build", "npm test", "npm run check"],
};
