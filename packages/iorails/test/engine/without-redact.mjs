// Makes an engine with a flow of sensitive data where no package finds any, and says what came of it.
import { register } from "node:module";

register(new URL("../../../../scripts/typescript-hooks.mjs", import.meta.url));
const missing = `export async function resolve(specifier, context, next) {
  if (specifier !== "@toolstile/redact") return next(specifier, context);
  throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
}`;
register(`data:text/javascript,${encodeURIComponent(missing)}`);
const { Guardrails, RailsConfig } = await import("../../src/index.ts");

const yaml = `
models: [{ type: main, engine: x, model: m, parameters: { base_url: "http://127.0.0.1:9" } }]
rails:
  config: { sensitive_data_detection: { input: { entities: [EMAIL_ADDRESS] } } }
  input: { flows: [mask sensitive data on input] }
`;
const config = await RailsConfig.fromContent({ yaml });
try {
  new Guardrails(config, { env: {} });
  process.stdout.write("made");
} catch ({ code, message }) {
  process.stdout.write(`${code} ${message}`);
}
