/** A page of docs/recipes, as far as it can be held to what it says. */
export interface Recipe {
  readonly name: string;
  readonly title: string;
  /** The packages that its install lines name, development packages too. */
  readonly installs: readonly string[];
  /** The texts that a reader saves, by file name. */
  readonly files: ReadonlyMap<string, string>;
  /** The commands that a reader then runs, in order. */
  readonly commands: readonly Command[];
  /** The servers that must be running. */
  readonly needs: readonly string[];
}

export interface Command {
  readonly line: string;
  /** The text below it, if the page shows one. */
  readonly prints: string | undefined;
  /** The exit code: 0, unless the page says "It ends with 1". */
  readonly code: number;
  /** The commands that the reader types meanwhile in a second terminal. `ID` stands for the call that waits. */
  readonly meanwhile: readonly string[];
}

/** Reads "Save this as `name`:" with the block below it, the `sh` blocks, and the `text` block below a command. */
export function readRecipe(name: string, page: string): Recipe {
  const files = new Map<string, string>();
  const commands: Command[] = [];
  const installs: string[] = [];
  let before = 0;
  for (const block of page.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    const [whole, language, text = ""] = block;
    const said = page.slice(before, block.index);
    before = block.index + whole.length;
    const saved = /as `([^`]+)`[^`]*:\s*$/.exec(said)?.[1];
    const last = commands.at(-1);
    if (saved !== undefined) files.set(saved, text);
    else if (language === "sh" && last !== undefined && /In a second terminal/.test(said)) {
      commands[commands.length - 1] = { ...last, meanwhile: text.trim().split("\n") };
    } else if (language === "sh") {
      for (const line of text.replaceAll("\\\n", "").trim().split("\n")) {
        const install = /^npm install (?:--save-dev )?(.*)$/.exec(line)?.[1];
        if (install !== undefined) installs.push(...install.split(" "));
        else commands.push({ line, prints: undefined, code: 0, meanwhile: [] });
      }
    } else if (language === "text" && last !== undefined) {
      const code = Number(/ends with (\d)/.exec(said)?.[1] ?? 0);
      commands[commands.length - 1] = { ...last, prints: text, code };
    } else
      throw new Error(`${name}: a block of ${language} that is neither saved nor run: ${text}`);
  }
  const title = /^# (.*)$/m.exec(page)?.[1] ?? "";
  const needs = [...page.matchAll(/^It needs (Redis|PostgreSQL)/gm)].map(
    ([, service = ""]) => service,
  );
  return { name, title, installs, files, commands, needs };
}
