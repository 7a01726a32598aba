import type { JsonObject, ToolstileError } from "@toolstile/core";
import { own } from "@toolstile/core/provider";
import { given } from "../chat/fields.js";
import type { ModelConfig } from "../config/model.js";
import { wrongConfig } from "../errors.js";
import { named } from "./failures.js";
import { checkedHeaders, textEntries } from "./headers.js";
import type { HttpPorts, Route } from "./ports.js";
import { checkedKey, checkedUrl, withoutSlashes } from "./url.js";

/** Seconds. */
export const defaultTimeout = 30;
export const defaultAttempts = 3;

/** The addresses of engines that need no `base_url`, and the variables of their keys. */
const engines = new Map([
  ["nim", { baseUrl: "https://integrate.api.nvidia.com", keyVariable: "NVIDIA_API_KEY" }],
  ["openai", { baseUrl: "https://api.openai.com", keyVariable: "OPENAI_API_KEY" }],
]);

/** The endpoint, key and patience that a model's configuration means. */
export function modelRoute(config: ModelConfig, env: HttpPorts["env"]): Route {
  const who = named({ kind: "model", name: config.type });
  const { parameters } = config;
  const engine = engines.get(config.engine);
  const base = given(parameters, "base_url") ?? engine?.baseUrl;
  if (base === undefined) {
    throw wrongConfig(
      `The ${who} has an engine other than ${[...engines.keys()].join(" and ")} and no 'parameters.base_url'. Name the server there.`,
    );
  }
  const url = checkedUrl(`'parameters.base_url' of ${who}`, base);
  const endpoint = new URL(`${withoutVersion(url)}/v1/chat/completions`);
  const query = textEntries(
    `'parameters.default_query' of ${who}`,
    given(parameters, "default_query"),
  );
  for (const [name, value] of query) endpoint.searchParams.append(name, value);
  const timeout = positive(who, parameters, "timeout", defaultTimeout, 86_400);
  // Checked, although the Fetch Standard has no way to apply it.
  positive(who, parameters, "timeout_connect", 5, 86_400);
  const maxAttempts = positive(who, parameters, "max_attempts", defaultAttempts, 100);
  if (!Number.isInteger(maxAttempts)) throw wrongNumber(who, "max_attempts", "a whole number", 100);
  const key = modelKey(who, config.apiKeyEnvVar, engine?.keyVariable, env);
  return {
    kind: "model",
    name: config.type,
    url: endpoint.href,
    headers: {
      ...checkedHeaders(
        `'parameters.default_headers' of ${who}`,
        given(parameters, "default_headers"),
      ),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    timeoutMs: timeout * 1_000,
    maxAttempts,
  };
}

function modelKey(
  who: string,
  variable: string | undefined,
  usual: string | undefined,
  env: HttpPorts["env"],
): string | undefined {
  const source = variable ?? usual;
  if (source === undefined) return undefined;
  const value = own(env, source);
  return checkedKey(who, variable, value);
}

/** Upstream reads `https://host/`, `https://host/v1` and `https://host/v1/` as one. */
function withoutVersion(url: string): string {
  const bare = withoutSlashes(url);
  return bare.endsWith("/v1") ? bare.slice(0, -"/v1".length) : bare;
}

/** A falsy value means the default, as upstream has it. */
function positive(
  who: string,
  parameters: JsonObject,
  key: string,
  usual: number,
  most: number,
): number {
  const value = given(parameters, key);
  if (value === undefined || value === 0 || value === "" || value === false) return usual;
  if (typeof value === "number" && value > 0 && value <= most) return value;
  throw wrongNumber(
    who,
    key,
    key === "max_attempts" ? "a whole number" : "a number of seconds",
    most,
  );
}

function wrongNumber(who: string, key: string, what: string, most: number): ToolstileError {
  return wrongConfig(`'parameters.${key}' of ${who} must be ${what} above 0 and at most ${most}.`);
}
