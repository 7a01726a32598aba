import type { ConformanceReport, ConformanceResult } from "./conformance-report.js";

const marks = { held: "✓", failed: "✗", skipped: "–", "not run": "?" } as const;

/** Writes a report as Markdown. */
export function asMarkdown(report: ConformanceReport): string {
  const rows = report.guards.flatMap(({ name, results }) => [
    `## ${inMarkdown(name)}`,
    "",
    "| | the guard … |",
    "| --- | --- |",
    ...results.map((result) => `| ${marks[result.status]} | ${inMarkdown(lineOf(result))} |`),
    "",
  ]);
  const head = [
    `# Conformance of ${inMarkdown(titleOf(report))}`,
    "",
    inMarkdown(summaryOf(report)),
    "",
  ];
  return [...head, ...rows].join("\n");
}

/** Writes a report as one page of HTML that loads nothing. */
export function asHtml(report: ConformanceReport): string {
  const title = inHtml(`Conformance of ${titleOf(report)}`);
  const guards = report.guards.map(({ name, results }) => {
    const items = results.map(
      (result) =>
        `<li class="${result.status.replace(" ", "-")}"><span>${marks[result.status]}</span> ${inHtml(lineOf(result))}</li>`,
    );
    return `<h2>${inHtml(name)}</h2>\n<ul>\n${items.join("\n")}\n</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 44rem; padding: 0 1rem; }
ul { list-style: none; padding: 0; }
li { padding: .2rem 0 .2rem 1.6rem; text-indent: -1.6rem; }
li span { display: inline-block; text-indent: 0; width: 1.6rem; }
.failed, .not-run { font-weight: bold; }
</style>
<h1>${title}</h1>
<p>${inHtml(summaryOf(report))}</p>
${guards.join("\n")}
</html>
`;
}

function titleOf({ subject }: ConformanceReport): string {
  return subject.version === undefined ? subject.name : `${subject.name} ${subject.version}`;
}

function summaryOf({ conforms, guards, kit, node, date }: ConformanceReport): string {
  const count = (status: ConformanceResult["status"]): number =>
    guards.flatMap(({ results }) => results.filter((each) => each.status === status)).length;
  const numbers = `${count("held")} held, ${count("failed")} failed, ${count("skipped")} skipped for a stated limit, ${count("not run")} not run`;
  const verdict = conforms ? "It conforms." : "It does not conform.";
  return `${verdict} ${numbers}. ${kit.name} ${kit.version}, Node ${node}, ${date.slice(0, 10)}.`;
}

function lineOf({ sentence, status, problem }: ConformanceResult): string {
  return status === "failed" ? `${sentence}: ${problem ?? ""}` : sentence;
}

function inMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|&#]/g, "\\$&").replace(/\s+/g, " ");
}

function inHtml(text: string): string {
  return text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
}
