// The page of what this engine does with each flow and key of NeMo Guardrails. What is on it of this engine is measured.
//   npm run build, then: node conformance/compatibility/page.mjs --write
//   node conformance/compatibility/page.mjs --examples <examples/configs of NeMo Guardrails>
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Guardrails, RailsConfig } from "@toolstile/iorails";
import { hooks } from "@toolstile/iorails/hooks";
import { unlike, withEachSection, withFlow, withKey } from "./configurations.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const page = join(root, "docs", "iorails-compatibility.md");

/** @param {string} name */
const rowsOf = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8"));

/** @type {readonly import("./configurations.mjs").Flow[]} */
export const flows = rowsOf("flows");
/** @type {readonly { key: string, since: string, value: unknown, effect?: "none" | "unchecked", note?: string }[]} */
export const keys = rowsOf("keys");
/** @type {readonly { option: string, since: string, value: unknown, note?: string }[]} */
export const options = rowsOf("options");
/** @type {readonly { folder: string, nemo: string, ours: string, flows: string[], because?: string }[]} */
export const examples = rowsOf("examples");

const names = ["OPENAI_API_KEY", "NVIDIA_API_KEY", "CONTENT_SAFETY_API_KEY", "MAIN_API_KEY", "K"];
/** Every key that an example or a row names is there. */
const env = Object.fromEntries(names.map((name) => [name, "k"]));
/** Finds nothing, and takes every entity and recogniser. */
const sensitiveData = /** @type {any} */ ({ scanner: () => ({ find: () => [], reach: 0 }) });

/** @typedef {{ loads: true } | { loads: false, code: string, reason: string }} Loaded */

/** @param {Promise<RailsConfig>} loading @param {import("@toolstile/iorails").GuardrailsOptions} given @returns {Promise<Loaded>} */
async function loaded(loading, given) {
  try {
    const config = await loading;
    const isForHooks = config.data.hooksServer !== undefined;
    await (isForHooks ? hooks(config, { env }) : new Guardrails(config, { env, ...given })).close();
    return { loads: true };
  } catch (error) {
    const { code, message } = /** @type {any} */ (error);
    if (code !== "ERR_CONFIG" && code !== "ERR_UNSUPPORTED") throw error;
    return { loads: false, code, reason: message };
  }
}

/** @param {object} config @param {import("@toolstile/iorails").GuardrailsOptions} given */
export const load = (config, given = { sensitiveData }) =>
  loaded(RailsConfig.fromContent({ config: /** @type {any} */ (config) }), given);

/** What this engine does with a flow. @param {(typeof flows)[number]} row */
export async function flowVerdict(row) {
  // Sensitive data is found by what the engine loads by itself.
  const found = await load(withFlow(row), {});
  if (found.loads) return "runs";
  if (found.code === "ERR_CONFIG") return `error: ${found.reason}`;
  const needsRetrieval = row.section === "retrieval";
  return row.vendor === undefined || needsRetrieval ? "refused by name" : `needs ${row.vendor}`;
}

/** What this engine does with a key. @param {(typeof keys)[number]} row */
export async function keyVerdict({ key, value, effect }) {
  const [right, wrong] = [await load(withKey(key, value)), await load(withKey(key, unlike(value)))];
  if (!right.loads) return right.code === "ERR_CONFIG" ? "error" : "refused by name";
  if (wrong.loads) return effect === "unchecked" ? "read" : "not read";
  return effect === "none" ? "checked, without effect" : "read";
}

/** What this engine does with an option of a request. @param {{ readonly option: string, readonly value: unknown }} row */
export async function optionVerdict({ option, value }) {
  const config = await RailsConfig.fromContent({ config: /** @type {any} */ (withEachSection()) });
  const message = { role: "assistant", content: "fine" };
  const answer = { choices: [{ index: 0, message, finish_reason: "stop" }] };
  const fetch = async () => Response.json(answer);
  const rails = new Guardrails(config, { env, fetch });
  const [first = "", second] = option.split(".");
  const options = { [first]: second === undefined ? value : { [second]: value } };
  try {
    await rails.generate({ prompt: "hi", options });
    return "read";
  } catch (error) {
    const { code } = /** @type {any} */ (error);
    if (code !== "ERR_INVALID_OPTION" && code !== "ERR_UNKNOWN_OPTION") throw error;
    return "error";
  } finally {
    await rails.close();
  }
}

/** What this engine does with the folders below one. @param {string} folder */
async function exampleVerdicts(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const configs = files.filter((file) => file.isFile() && /\.ya?ml$/.test(file.name));
  const folders = [...new Set(configs.map(({ parentPath }) => parentPath))].sort();
  const found = [];
  for (const each of folders) {
    const result = await loaded(RailsConfig.fromPath(each), { sensitiveData });
    const ours = result.loads
      ? "runs"
      : result.code === "ERR_UNSUPPORTED"
        ? "other engine"
        : "error";
    found.push({ folder: relative(folder, each), ours });
  }
  return found;
}

/** @param {readonly string[]} titles @param {readonly (readonly string[])[]} rows */
function table(titles, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [line(titles), line(titles.map(() => "---")), ...rows.map(line)].join("\n");
}

/** @param {string} text */
const code = (text) => `\`${text}\``;

export async function written() {
  const flowRows = [];
  for (const row of flows) {
    const { flow, section, perTool, since, iorails, note } = row;
    const where = perTool === true ? `${section}, of one tool` : section;
    const runs = iorails === null ? "no" : `since ${iorails}`;
    const verdict = await flowVerdict(row);
    flowRows.push([
      code(flow),
      where,
      since,
      runs,
      note === undefined ? verdict : `${verdict}; ${note}`,
    ]);
  }
  const keyRows = [];
  for (const row of keys) {
    const { key, since, note } = row;
    const verdict = await keyVerdict(row);
    keyRows.push([code(key), since, note === undefined ? verdict : `${verdict}; ${note}`]);
  }
  const optionRows = [];
  for (const row of options) {
    const { option, since, note } = row;
    const verdict = await optionVerdict(row);
    optionRows.push([code(option), since, note === undefined ? verdict : `${verdict}; ${note}`]);
  }
  const exampleRows = examples.map(({ folder, nemo, ours, because = "" }) => [
    code(folder),
    nemo,
    ours,
    because,
  ]);
  return `# NeMo Guardrails and this engine

This page lists each flow, each key, each option of a request and each example of NeMo Guardrails 0.23, 0.24 and 0.25, and what
\`@toolstile/iorails\` does with it. What it says of this engine is measured: \`node conformance/compatibility/page.mjs --write\`
tries each row and writes the page, and [a test](../conformance/test/iorails-compatibility.test.ts) does the same and compares.
[Another test](../conformance/test/iorails-effects.test.ts) compares what the engine does with and without each flow that runs, and
with two values of each key and option that is read. What the page says of NeMo was read in the releases 0.23.0 and 0.24.1 and, for
0.25, in its documentation. *Since 0.23* means that release or an earlier one. [IORails configuration](iorails.md) has the keys that
are Toolstile's own.

## Flows

- *IORails of NeMo*: the first release whose IORails runs the flow, or *no* if only NeMo's other engine does.
- *runs*: a configuration with the flow starts, and the flow judges.
- *needs* a vendor: an error that names the flow, because only the service of that vendor can judge. The flow
  \`http classifier check input\` or \`… output\` can ask any service that answers in JSON.
- *refused by name*: an error that names the flow or its section, because it needs retrieval or runs in Python.

${table(["flow", "section", "since", "IORails of NeMo", "here"], flowRows)}

## Keys

- *read*: the key has an effect. A value of the wrong kind is an error that names its place.
- *checked, without effect*: a value of the wrong kind is an error, and a right one changes nothing.
- *not read*: the key may have any value, and nothing follows from it.
- *refused by name*: only NeMo's other engine runs a configuration that has it. The error says why.

NeMo ignores unknown keys in most places. Here they are errors.

${table(["key", "since", "here"], keyRows)}

## Options of a request

NeMo's IORails reads \`log\` since 0.24.

- *read*: the option has an effect. A value of the wrong kind is an error.
- *error*: the option asks for something that this engine does not have. \`false\` is no error.

${table(["option", "since", "here"], optionRows)}

## Examples

These are the folders of \`examples/configs\` in NeMo's repository (1 July 2026), loaded by NeMo 0.24.1 and by this engine.
*Runs* means that IORails takes the configuration, *other engine* that it needs NeMo's other engine, and *error* that it does not load.
\`node conformance/compatibility/page.mjs --examples <folder>\` loads them again and compares.

${table(["folder", "NeMo 0.24.1", "here", "why not"], exampleRows)}
`;
}

if (process.argv.includes("--write")) writeFileSync(page, await written());
const at = process.argv.indexOf("--examples");
if (at >= 0) {
  for (const { folder, ours } of await exampleVerdicts(process.argv[at + 1] ?? ".")) {
    const known = examples.find((row) => row.folder === folder)?.ours;
    const isSame = known === ours;
    process.stdout.write(
      `${isSame ? "as recorded" : `recorded: ${known ?? "nothing"}`}\t${ours}\t${folder}\n`,
    );
    if (!isSame) process.exitCode = 1;
  }
}
