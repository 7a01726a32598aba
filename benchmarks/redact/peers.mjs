// Other packages from npm that look for secrets or personal data: what each finds in a text, as places or as a text that was changed.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The packages, in the versions that the page names. They are installed in a folder of their own. */
export const peers = {
  secretlint: ["@secretlint/core@12.0.0", "@secretlint/secretlint-rule-preset-recommend@12.0.0"],
  openredaction: ["openredaction@1.1.5"],
  "@openredaction/openredaction": ["@openredaction/openredaction@1.0.4"],
  "redact-pii": ["redact-pii@3.4.0"],
  "@redactpii/node": ["@redactpii/node@1.0.17"],
  "@presidio-dev/hai-guardrails": ["@presidio-dev/hai-guardrails@1.12.0"],
};

/** @param {string} folder @param {string} name */
async function load(folder, name) {
  const home = join(folder, "node_modules", name);
  const { exports, module, main } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const entry = exports?.["."] ?? exports;
  const forImport = typeof entry === "object" ? (entry.import?.default ?? entry.import) : undefined;
  const files = [forImport, module, main, "index.js"].filter((file) => typeof file === "string");
  for (const file of files) {
    const loaded = await import(pathToFileURL(join(home, file)).href).catch(() => undefined);
    if (loaded !== undefined) return { ...loaded.default, ...loaded };
  }
  return createRequire(join(folder, "package.json"))(name);
}

/** True if the package finds anything. @type {Record<string, (folder: string) => Promise<(text: string) => Promise<boolean>>>} */
const detectors = {
  secretlint: async (folder) => {
    const { lintSource } = await load(folder, "@secretlint/core");
    const { creator } = await load(folder, "@secretlint/secretlint-rule-preset-recommend");
    const rules = [{ id: "preset", rule: creator, rules: [], options: {}, preset: true }];
    return async (text) => {
      const source = { content: text, filePath: "/text.txt", ext: ".txt", contentType: "text" };
      const { messages } = await lintSource({
        source,
        options: { config: { rules }, noPhysicFilePath: true },
      });
      return messages.length > 0;
    };
  },
  openredaction: async (folder) => openRedaction(await load(folder, "openredaction")),
  "@openredaction/openredaction": async (folder) =>
    openRedaction(await load(folder, "@openredaction/openredaction")),
  "redact-pii": async (folder) => {
    const { SyncRedactor } = await load(folder, "redact-pii");
    const redactor = new SyncRedactor();
    return async (text) => redactor.redact(text) !== text;
  },
  "@redactpii/node": async (folder) => {
    const { Redactor } = await load(folder, "@redactpii/node");
    const redactor = new Redactor({
      rules: { CREDIT_CARD: true, EMAIL: true, NAME: false, PHONE: true, SSN: true },
    });
    return async (text) => redactor.redact(text) !== text;
  },
  "@presidio-dev/hai-guardrails": async (folder) => {
    const { piiGuard, secretGuard, SelectionType } = await load(
      folder,
      "@presidio-dev/hai-guardrails",
    );
    const guards = [
      piiGuard({ selection: SelectionType.All }),
      secretGuard({ selection: SelectionType.All }),
    ];
    return async (text) => {
      for (const guard of guards) {
        const answers = await guard([{ role: "user", content: text }]);
        if (
          JSON.stringify(answers.map((each) => each.modifiedMessage?.content ?? text)) !==
          JSON.stringify(answers.map(() => text))
        )
          return true;
        if (answers.some((each) => each.passed === false)) return true;
      }
      return false;
    };
  },
};

/** @param {any} module */
function openRedaction(module) {
  const redactor = new module.OpenRedaction();
  return async (/** @type {string} */ text) => (await redactor.detect(text)).detections.length > 0;
}

/** Reads texts as JSON strings from a file, and writes true or false for each. @param {string} folder @param {string} name @param {readonly string[]} texts */
export async function judged(folder, name, texts) {
  const detect = await detectors[name]?.(folder);
  if (detect === undefined) throw new Error(`there is no ${name}`);
  const found = [];
  for (const text of texts) found.push(await detect(text).catch(() => false));
  return found;
}
