/** Lists which of the five parts of a provider's README are missing, and which options it does not name. */
export function faultsOfReadme(
  readme: string,
  name: string,
  options: readonly string[],
): readonly string[] {
  const lines = readme.split("\n").map((line) => line.trimEnd());
  const headings = lines.filter((line) => line.startsWith("## ")).map((line) => line.slice(3));
  const installs = lines.filter((line) => /^npm (?:install|i|add) /.test(line));
  const parts: readonly (readonly [boolean, string])[] = [
    [lines[0] === `# ${name}`, `its first line must be "# ${name}".`],
    [
      installs.some((line) => line.split(/\s+/).includes(name)),
      `a line must say how to install it: "npm install @toolstile/core ${name}".`,
    ],
    [
      examplesIn(lines).some((code) => code.some((line) => line.includes(`"${name}"`))),
      "it must have an example, in a block of ts or js, that imports the package.",
    ],
    [headings.some((heading) => /options?\b/i.test(heading)), 'it must have "## Options".'],
    [headings.includes("What it does not do"), 'it must have "## What it does not do".'],
  ];
  return [
    ...parts.filter(([isThere]) => !isThere).map(([, fault]) => `README.md: ${fault}`),
    ...options
      // In backticks, since `to` or `tools` are words of any page.
      .filter((option) => !readme.includes(`\`${option}\``))
      .map(
        (option) =>
          `README.md: it must explain the option \`${option}\` of the plugin, with its name in backticks.`,
      ),
  ];
}

/** The lines of each block of code. */
function examplesIn(lines: readonly string[]): readonly (readonly string[])[] {
  const blocks: string[][] = [];
  let open: string[] | undefined;
  for (const line of lines) {
    if (open === undefined) {
      if (/^```(?:ts|js|typescript|javascript)$/.test(line)) open = [];
    } else if (line.startsWith("```")) {
      blocks.push(open);
      open = undefined;
    } else open.push(line);
  }
  return blocks;
}
