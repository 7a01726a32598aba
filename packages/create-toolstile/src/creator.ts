import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Readable } from "node:stream";
import { type Given, readArguments } from "./arguments.js";
import { isPackageName, unscoped } from "./package-name.js";
import { Asker } from "./questions.js";
import type { Files } from "./template.js";

/** A question with a few answers, which an option of its name can give too. The first is the default. */
export interface Question {
  readonly option: string;
  readonly text: string;
  readonly answers: readonly { readonly name: string; readonly summary: string }[];
}

/** A kind of project that a program makes, and the answers that it needs. */
export interface Creator {
  readonly program: string;
  readonly help: string;
  readonly defaultName: string;
  readonly question?: Question | undefined;
  /** The files of a package of this name. */
  readonly filesFor: (name: string, answer: string | undefined) => Files;
  /** The commands that come next, in the folder. */
  readonly next: readonly string[];
}

/** All of its process that a creator uses. */
export interface World {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly input: Readable & { readonly isTTY?: boolean | undefined };
  readonly workingFolder: string;
}

/** The project that was made, as `--json` prints it. */
export interface Creation {
  readonly name: string;
  readonly folder: string;
  readonly files: readonly string[];
  readonly next: readonly string[];
}

const exitCodes = { made: 0, notMade: 1, usage: 2 } as const;

/** Runs a creator's program: reads its arguments, asks what is missing, and writes the files. Returns the exit code. */
export async function runCreator(
  creator: Creator,
  argv: readonly string[],
  world: World,
): Promise<number> {
  const { program, help, question } = creator;
  const misused = (problem: string): number => {
    world.err(`${program}: ${problem}\n\n${help}`);
    return exitCodes.usage;
  };
  const given = readArguments(argv, question?.option);
  if (typeof given === "string") return misused(given);
  if (given.help) {
    world.out(help);
    return exitCodes.made;
  }
  const chosen = await choose(creator, given, world);
  if (typeof chosen === "string") return misused(chosen);
  const { name, answer } = chosen;
  const folder = resolve(world.workingFolder, given.folder ?? unscoped(name));
  try {
    const files = creator.filesFor(name, answer);
    writeAll(folder, files);
    const creation = { name, folder, files: [...files.keys()], next: creator.next };
    world.out(given.json ? `${JSON.stringify(creation, undefined, 2)}\n` : told(creation, world));
    return exitCodes.made;
  } catch (error) {
    world.err(`${program}: ${folder}: ${reasonOf(error)}\n`);
    return exitCodes.notMade;
  }
}

/** The name and the answer: as given, as asked for at a terminal, or the defaults. A text says what is wrong. */
async function choose(
  { defaultName, question }: Creator,
  given: Given,
  { input, err }: World,
): Promise<{ name: string; answer: string | undefined } | string> {
  const fromFolder = given.folder && basename(resolve(given.folder)).toLowerCase();
  const suggested = fromFolder && isPackageName(fromFolder) ? fromFolder : defaultName;
  const asks = input.isTTY === true && !given.yes && !given.json;
  using asker = asks ? new Asker(input, err) : undefined;

  const mayDefault = given.yes || suggested === fromFolder;
  const name =
    given.name ??
    (await asker?.text("Name of the package", suggested)) ??
    (mayDefault && suggested);
  if (name === false || name === "") {
    return `'--name' is missing, and there is no terminal to ask at. Pass --name NAME, or --yes for '${suggested}'.`;
  }
  if (!isPackageName(name)) {
    return "'--name' must be a name for npm: lower-case letters, digits, '-', '.' and '_', with a scope or without.";
  }
  if (question === undefined) return { name, answer: undefined };
  const names = question.answers.map((each) => each.name);
  const answer =
    given.answer ?? (await asker?.choice(question.text, question.answers)) ?? (names[0] as string);
  return names.includes(answer)
    ? { name, answer }
    : `'--${question.option}' must be one of ${names.join(", ")}.`;
}

/** The folder held something before. */
class NotEmpty extends Error {}

function writeAll(folder: string, files: Files): void {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new NotEmpty();
  for (const [path, text] of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    // Never over what somebody else wrote in the meantime.
    writeFileSync(target, text, { flag: "wx" });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NotEmpty) return "the folder is not empty. Name another one.";
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  if (code === "EEXIST" || code === "ENOTDIR") return "there is a file where the folder would be.";
  return `it cannot be written (${code}).`;
}

function told({ name, folder, files, next }: Creation, { workingFolder }: World): string {
  const place = relative(workingFolder, folder) || ".";
  const commands = place === "." ? next : [`cd ${place}`, ...next];
  const lines = commands.map((command) => `  ${command}\n`).join("");
  return `Made ${name} in ${place}: ${files.length} files. Next:\n\n${lines}`;
}
