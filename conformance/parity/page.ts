import { caseIds, cases } from "./cases.js";
import type { Seam } from "./seam.js";

/** The page that says which seam holds which case, and why where one cannot. */
export function page(seams: readonly Seam[]): string {
  const claims = caseIds.map((id) => `| \`${id}\` | ${cases[id].claim} |`);
  const counts = seams.map(({ name, cannot }) => {
    const not = caseIds.filter((id) => cannot[id] !== undefined);
    const held = `${caseIds.length - not.length} of ${caseIds.length}`;
    return `| ${name} | ${held} | ${not.map((id) => `\`${id}\``).join(", ") || "–"} |`;
  });
  return `# Parity

One suite, the same ${caseIds.length} cases, through each of the ${seams.length} ways in which a call can reach a tool: the same
verdicts, each guard asked about the final arguments, the same arguments used. What a framework makes impossible is
listed with the reason. There too, the tools that the case does not let run never run, and a limit that does not
exist any more fails the suite, which also writes this page:
\`npx vitest run conformance/test/parity.test.ts -u\`.

## What is held

| case | the seam … |
| --- | --- |
${claims.join("\n")}

## Where

| seam | holds | cannot |
| --- | --- | --- |
${counts.join("\n")}

## Why not

${reasons(seams).join("\n\n")}
`;
}

/** The reasons, each set of them once, under the seams that they stand for. */
function reasons(seams: readonly Seam[]): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { name, cannot } of seams) {
    const list = caseIds
      .filter((id) => cannot[id] !== undefined)
      .map((id) => `- \`${id}\`: ${cannot[id]}`)
      .join("\n");
    if (list !== "") names.set(list, [...(names.get(list) ?? []), name]);
  }
  return [...names].map(([list, of]) => `**${of.join(" · ")}**\n\n${list}`);
}
