// Loads a configuration that tells languages where the package for it is not installed, and says what came of it.
import { register } from "node:module";

register(new URL("../../../../scripts/typescript-hooks.mjs", import.meta.url));
const missing = `export async function resolve(specifier, context, next) {
  if (!/^eld(?:\\/|$)/.test(specifier)) return next(specifier, context);
  throw Object.assign(new Error("Cannot find package 'eld'"), { code: "ERR_MODULE_NOT_FOUND" });
}`;
register(`data:text/javascript,${encodeURIComponent(missing)}`);
const { RailsConfig } = await import("../../src/index.ts");

const yaml = `
models: [{ type: main, engine: x, model: m, parameters: { base_url: "http://127.0.0.1:9" } }]
rails: { input: { flows: [language detector check input] } }
`;
await RailsConfig.fromContent({ yaml }).then(
  () => process.stdout.write("loaded"),
  ({ code, message }) => process.stdout.write(`${code} ${message}`),
);
