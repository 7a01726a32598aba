import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs", "troubleshooting.md"), "utf8");

/** The signs that a reader notices beside messages. */
const symptoms = [
  "The arguments that a guard sees are not those that the model sent",
  "A guard is never asked",
  "The process does not end",
];

const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, heading = ""]) => heading);
const reasons = [...page.matchAll(/^\| `(.+?)` \|/gm)].map(([, reason = ""]) => reason);
const sources = readdirSync(join(root, "packages"))
  .flatMap((name) => filesBelow(join(root, "packages", name, "src")))
  .map((path) => readFileSync(path, "utf8"));

/** The parts of a message between what is a name or a number of the reader's, each `…`. */
const partsOf = (message: string) =>
  message
    .split("…")
    .map((part) => part.trim())
    .filter((part) => part.length > 2);

describe("docs/troubleshooting.md", () => {
  it.each([...headings, ...reasons].filter((message) => !symptoms.includes(message)))(
    "starts from a message that one file of the sources has: %s",
    (message) => {
      const parts = partsOf(message);
      expect(parts).not.toEqual([]);
      expect(sources.some((text) => parts.every((part) => text.includes(part)))).toBe(true);
    },
  );

  it("has no message twice, and every symptom that is none", () => {
    expect(headings.filter((each, index) => headings.indexOf(each) !== index)).toEqual([]);
    expect(symptoms.filter((each) => !headings.includes(each))).toEqual([]);
  });

  it("says below each what to do, or what it means", () => {
    const sections = page.split(/^### /m).slice(1);
    const silent = sections.filter((each) => !/\*\*Do\*\*:|The end of the message/.test(each));
    expect(silent.map((each) => each.split("\n", 1)[0])).toEqual([]);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
}
