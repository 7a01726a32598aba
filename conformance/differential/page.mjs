/** @typedef {import("./results.mjs").Run} Run */

const families = /** @type {Readonly<Record<string, string>>} */ ({
  regex:
    "`regex check input` and `regex check output`: patterns, sections, mistakes, streams of every size of stretch",
  rewrite:
    "`injection detection`, `context bloat detection`, `gliner mask pii` and `gliner detect pii`, beside patterns and self checks, parallel or not",
  "tool-rails":
    "`tool call validation` and `tool result validation`, under their names of 0.24, beside patterns",
  "per-tool":
    "the rails of single tools: patterns, CEL, a judge; 0.24 has none, so a model stands in place of the engine",
});

/** @param {number} count */
const counted = (count) => String(count);

/** The page of a run. @param {Run} results */
export function pageOf({
  cases,
  families: found,
  classes,
  passedHere,
  unexplained,
  seed,
  minutes,
  date,
  packages,
}) {
  const versions = Object.entries(packages).map(([name, version]) => `\`${name}\` ${version}`);
  const rows = found.map(({ name, cases: all, same, explained }) => [
    `\`${name}\``,
    families[name],
    counted(all),
    counted(same),
    counted(explained),
    counted(all - same - explained),
  ]);
  const kinds = classes
    .filter((each) => each.cases > 0)
    .map(({ name, cases: own, whose, reason }) => [name, counted(own), whose, reason]);
  const outcomes = found.flatMap(({ name, outcomes: own }) =>
    Object.entries(own)
      .sort(([, one], [, other]) => other - one)
      .map(([key, count]) => [`\`${name}\``, ...key.split(", "), counted(count)]),
  );
  return `# Random configurations, here and in NeMo Guardrails

Written by \`npm run differential -- --python <path> --seed ${seed} --cases ${cases} --write\` on ${date}, in ${minutes.toFixed(0)} minutes, with
${versions.join(", ")}.

${cases} configurations of rails were drawn, each with one request, and run in NeMo Guardrails and in \`@toolstile/iorails\`.
Compared is whether the configuration loads, what becomes of the request, which rail blocks and whether it failed, the text and
the calls that are given out, and what the models and services were asked, word for word. Models and services answered from a
script, on 127.0.0.1. Reasons are compared where NeMo names no rail.

For the rails of single tools, the other side is a model in Python
([per_tool_model.py](../conformance/differential/per_tool_model.py)) that was written from the documents of 0.25, because that
release cannot be installed. It evaluates CEL with NeMo's own package.

Where both sides differ, the case is run again without what a class of differences says is the cause. It is explained if
both sides are then the same, or differ for a cause of another class, which is then taken out too.

| family | what is drawn | cases | the same at once | explained | not explained |
| --- | --- | --- | --- | --- | --- |
${rows.map(row).join("")}
${unexplained.length === 0 ? "No difference is left without a class." : `Not explained: ${unexplained.map(({ id }) => `\`${id}\``).join(", ")}.`}

## Why both differ

A case that differs in two ways counts twice. *Stricter*: this engine blocks, refuses or reads more. *NeMo's fault*: its own
documents say otherwise, or nobody can want it. *Another choice*: there
are reasons for either.

| class | cases | whose | why |
| --- | --- | --- | --- |
${kinds.map(row).join("")}
## Blocked there and passed here

A class that makes this engine stricter explains none of these blocks: where one is named, the case differs in that as well.

| why | cases | of them, a rail failed there |
| --- | --- | --- |
${passedHere.map(({ because, cases: own, failed }) => row([because.join(", "), counted(own), counted(failed)])).join("")}
## What came of the cases

| family | there | here | cases |
| --- | --- | --- | --- |
${outcomes.map(row).join("")}
## What is not drawn

Vendors' flows, sensitive data (both sides have recognisers of their own), classifiers, the language detector, content and
topic safety, servers, faulty models, and messages that are malformed.
`;
}

/** @param {readonly (string | undefined)[]} cells */
const row = (cells) => `| ${cells.map((cell = "") => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
