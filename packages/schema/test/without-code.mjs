// Checks values where the runtime makes no code from text, and says what became of them.
import { register } from "node:module";

register(new URL("../../../scripts/typescript-hooks.mjs", import.meta.url));
// A loader such as Node's is what a browser and the edge lack.
if (process.argv.includes("--no-loader")) process.getBuiltinModule = undefined;
const { compileSchema } = await import("../src/index.ts");
const { mail, mailSchema } = await import("./calls.ts");

const forbidden = (() => {
  try {
    return new Function("return false")();
  } catch {
    return true;
  }
})();
const mails = compileSchema(mailSchema);
const answers = [mails.check(mail), mails.check({ ...mail, to: ["ann"] }), mails.check({})];
const messages = answers.map((violation) => violation?.message ?? "valid");
process.stdout.write(JSON.stringify({ forbidden, messages }));
