import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { compileSchema } from "../src/index.js";
import { mail, mailSchema } from "./calls.js";

const program = fileURLToPath(new URL("without-code.mjs", import.meta.url));

function run(flags: readonly string[], args: readonly string[] = []): unknown {
  const all = ["--conditions=@toolstile/source", ...flags, program, ...args];
  return JSON.parse(execFileSync(process.execPath, all, { encoding: "utf8" }));
}

it.each([
  ["where new Function is forbidden", ["--disallow-code-generation-from-strings"], []],
  ["where nothing loads Ajv", [], ["--no-loader"]],
])("judges in the same words %s", (_, flags, args) => {
  const mails = compileSchema(mailSchema);
  const messages = [
    "valid",
    mails.check({ ...mail, to: ["ann"] })?.message,
    mails.check({})?.message,
  ];
  expect(run(flags, args)).toEqual({ forbidden: flags.length > 0, messages });
});
