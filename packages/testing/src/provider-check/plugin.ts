import { objectIn } from "./manifest.js";

/** Lists what is wrong with the `plugin` that a package exports, as a guard.yaml uses it. */
export function faultsOfPlugin(plugin: unknown): readonly string[] {
  const wrong = (what: string): string => `The package's entry: ${what}`;
  if (typeof plugin !== "object" || plugin === null) {
    return [wrong("it must export a `plugin`, an object of the type GuardrailPlugin.")];
  }
  const { name, optionsSchema, create } = plugin as Record<string, unknown>;
  const faults: string[] = [];
  if (typeof name !== "string" || name === "") {
    faults.push(wrong("`plugin.name` must be a text that is not empty."));
  }
  if (typeof create !== "function") faults.push(wrong("`plugin.create` must be a function."));
  if (typeof optionsSchema !== "object" || optionsSchema === null) {
    return [...faults, wrong("`plugin.optionsSchema` must be a JSON Schema of the options.")];
  }
  const schema = optionsSchema as Record<string, unknown>;
  if (schema["type"] !== "object") {
    faults.push(wrong('`plugin.optionsSchema` must have type: "object".'));
  }
  if (schema["additionalProperties"] !== false) {
    const why = "so that a misspelt option is refused";
    faults.push(wrong(`\`plugin.optionsSchema\` must have additionalProperties: false, ${why}.`));
  }
  if (!isJson(schema)) {
    faults.push(wrong("`plugin.optionsSchema` must be plain JSON, for editors read it too."));
  }
  return faults;
}

/** The names of a plugin's options. */
export function optionsOf(plugin: unknown): readonly string[] {
  if (typeof plugin !== "object" || plugin === null) return [];
  return Object.keys(objectIn(objectIn(plugin, "optionsSchema"), "properties"));
}

function isJson(value: object): boolean {
  try {
    return JSON.stringify(value) === JSON.stringify(structuredClone(value)) && holdsJson(value, 0);
  } catch {
    // A function cannot be cloned, and a circle not be written.
    return false;
  }
}

function holdsJson(value: unknown, depth: number): boolean {
  if (depth > 64) return false;
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((each) => holdsJson(each, depth + 1));
}
