import {
  type Approver,
  allowAll,
  chain,
  type Guardrail,
  type JsonObject,
  type ToolObserver,
  ToolRunner,
  ToolstileError,
} from "@toolstile/core";
import {
  type GuardrailPlugin,
  isJsonObject,
  member,
  nearest,
  quoted,
} from "@toolstile/core/provider";
import { checkPluginOptions } from "./check-options.js";
import { className } from "./plugin-module.js";

/**
 * Makes what a plugin stands for, its options checked by the plugin's own schema.
 *
 * @param where The place in the configuration, as errors name it.
 * @throws ToolstileError `ERR_PLUGIN`, with `where`, for an object that is no
 *   plugin, options that do not fit, and a product that is not a guardrail or
 *   observer.
 */
export function createFromPlugin(
  plugin: unknown,
  options: JsonObject | undefined,
  where: string,
): Guardrail | ToolObserver {
  return prepareNamed(plugin, options, where, undefined, guardOrObserver)();
}

/** Makes what a plugin stands for, from options that have been found to fit. @throws ToolstileError `ERR_PLUGIN` */
export type Create<Product> = () => Product;

/** Holds what a plugin made to what was asked of it. @throws ToolstileError as `failed` makes it. */
export type CheckProduct<Product> = (product: unknown, failed: Failed) => Product;

/**
 * Finds out whether options fit, and makes nothing yet.
 *
 * @param use The name by which a configuration means the plugin.
 * @throws ToolstileError `ERR_PLUGIN`; of options that do not fit, `cause` is an `OptionFaults`.
 */
export function prepareNamed<Product>(
  plugin: unknown,
  options: unknown,
  where: string,
  use: string | undefined,
  check: CheckProduct<Product>,
): Create<Product> {
  const failed = (what: string, cause?: unknown): ToolstileError =>
    new ToolstileError(
      "ERR_PLUGIN",
      `${where}: the plugin${use === undefined ? "" : ` ${quoted(use)}`} ${what}`,
      cause === undefined ? {} : { cause },
    );
  const { name, optionsSchema, checkInstalled, create } = readPlugin(plugin, failed);
  use ??= name;
  const checked = checkPluginOptions(optionsSchema, options === undefined ? {} : options);
  if ("fault" in checked) throw failed(checked.fault, checked.cause);
  const explained = <Value>(member: string, call: () => Value): Value => {
    try {
      return call();
    } catch (error) {
      // A message that is not Toolstile's may quote an option, and options hold secrets.
      if (!ToolstileError.isInstance(error)) {
        throw failed(`threw ${className(error)} from ${member}(); its message is kept back.`);
      }
      // What is missing around it is no fault of the options.
      const what = error.code === "ERR_CONFIG" ? "cannot be used here" : "refused its options";
      throw failed(`${what}: ${error.message}`, error);
    }
  };
  if (checkInstalled !== undefined) explained("checkInstalled", checkInstalled);
  return () =>
    check(
      explained<unknown>("create", () => create(checked.options)),
      failed,
    );
}

type Failed = (what: string, cause?: unknown) => ToolstileError;

const members = ["name", "optionsSchema", "create", "checkInstalled"] as const;

function readPlugin(plugin: unknown, failed: Failed): GuardrailPlugin {
  if (typeof plugin !== "object" || plugin === null) {
    throw failed("must be an object with name, optionsSchema and create(options).");
  }
  const read = new Map(members.map((key) => [key, tried(() => member(plugin, key))]));
  const [name, schema, create, installed] = members.map((key) => read.get(key));
  const isRight = new Map<string, boolean>([
    ["name", typeof name === "string" && name !== ""],
    ["optionsSchema", isJsonObject(schema)],
    ["create", typeof create === "function"],
    ["checkInstalled", installed === undefined || typeof installed === "function"],
  ]);
  for (const [key, right] of isRight) {
    if (right) continue;
    const strays = tried(() => Object.keys(plugin).filter((other) => !isRight.has(other)));
    const guess = nearest(key, strays ?? []);
    const hint = guess === undefined ? "" : ` Its member ${quoted(guess)} may be meant.`;
    throw failed(`needs ${key}: ${expected.get(key)}.${hint}`);
  }
  return {
    name: name as string,
    optionsSchema: schema as JsonObject,
    create: (create as GuardrailPlugin["create"]).bind(plugin),
    checkInstalled: (installed as GuardrailPlugin["checkInstalled"])?.bind(plugin),
  };
}

const expected: ReadonlyMap<string, string> = new Map([
  ["name", "text that is not empty"],
  ["optionsSchema", "a JSON Schema, as an object"],
  ["create", "a function that takes the options"],
  ["checkInstalled", "a function, or to be left out"],
]);

function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Core knows best what is one; asked now, it names the place. */
export function guardOrObserver(product: unknown, failed: Failed): Guardrail | ToolObserver {
  if (typeof product !== "object" || product === null) {
    throw failed(`made ${kindOf(product)} and no guardrail or observer.`);
  }
  const has = (key: string): boolean => tried(() => member(product, key)) !== undefined;
  if (has("then")) throw failed("made a promise; create(options) gives the guardrail itself.");
  const judges = has("evaluate") || has("evaluateResult");
  if (!judges && has("ask") && has("consume")) {
    throw failed("makes an approver, which belongs under approver");
  }
  try {
    if (!judges && has("settle")) {
      refuseMisspeltGuardrail(product);
      const observers = [product as ToolObserver];
      new ToolRunner({ tools: [], guardrails: [allowAll()], observers });
    } else {
      chain([product as Guardrail]);
    }
  } catch (error) {
    if (!ToolstileError.isInstance(error)) throw failed("made an object that cannot be read.");
    throw failed(`made no guardrail or observer that can be used: ${error.message}`, error);
  }
  return product as Guardrail | ToolObserver;
}

/** The same of an approver. */
export function approver(product: unknown, failed: Failed): Approver {
  if (typeof product !== "object" || product === null) {
    throw failed(`made ${kindOf(product)} and no approver.`);
  }
  const has = (key: string): boolean => tried(() => member(product, key)) !== undefined;
  if (has("then")) throw failed("made a promise; create(options) gives the approver itself.");
  if (has("evaluate") || has("evaluateResult")) {
    throw failed("makes a guard, which belongs under guards");
  }
  if (has("settle")) throw failed("makes an observer, which belongs under observers");
  try {
    new ToolRunner({ tools: [], guardrails: [allowAll()], approver: product as Approver });
  } catch (error) {
    if (!ToolstileError.isInstance(error)) throw failed("made an object that cannot be read.");
    throw failed(`made no approver that can be used: ${error.message}`, error);
  }
  return product as Approver;
}

/** A guardrail whose one question is misspelt would pass for an observer, and judge nothing. */
function refuseMisspeltGuardrail(product: object): void {
  try {
    chain([product as Guardrail]);
  } catch (error) {
    if (ToolstileError.isInstance(error) && error.code === "ERR_UNKNOWN_MEMBER") throw error;
  }
}

function kindOf(product: unknown): string {
  return product === null ? "null" : product === undefined ? "nothing" : `a ${typeof product}`;
}
