import { type CallerSignal, own, quoted } from "@toolstile/core/provider";
import { wrongConfig } from "../errors.js";
import { Exchange } from "./exchange.js";
import { named } from "./failures.js";
import type { HttpPorts, Route } from "./ports.js";
import { askForJson } from "./read-json.js";
import { jsonText } from "./request-body.js";
import { defaultAttempts, defaultTimeout } from "./route.js";
import { checkedKey, checkedUrl } from "./url.js";

/** A service that rails ask. */
export interface Service {
  /** The name that they know it under: the section of `rails.config` that it stands in. */
  readonly name: string;
  readonly url: string;
  readonly apiKey?: string | null | undefined;
  readonly apiKeyEnvVar?: string | null | undefined;
  /** The header that has the key. Default `authorization`, where it is a bearer's token. */
  readonly keyHeader?: string | null | undefined;
  /** Seconds. Default 30. */
  readonly timeout?: number | null | undefined;
}

/**
 * A client of a service that rails ask, such as jailbreak detection: JSON in, JSON out.
 *
 * @throws ToolstileError `ERR_CONFIG` for a URL or key that cannot be used, and for a key that is not there.
 */
export function serviceClient(
  { name, url, keyHeader, timeout, ...keys }: Service,
  ports: HttpPorts,
) {
  const who = named({ kind: "service", name });
  const token = checkedKey(who, undefined, keyOf(name, keys, ports.env));
  const route: Route = {
    kind: "service",
    name,
    url: checkedUrl(`The URL of ${who}`, url),
    headers: headersOf(token, keyHeader ?? "authorization"),
    timeoutMs: (timeout ?? defaultTimeout) * 1_000,
    maxAttempts: defaultAttempts,
  };
  return {
    /** @throws ModelError, by the rules of `ModelClient.complete`. */
    post: async (
      body: unknown,
      options: { readonly signal?: CallerSignal | undefined } = {},
    ): Promise<unknown> => {
      const question = { headers: { accept: "application/json" }, body: jsonText(body) };
      return askForJson(new Exchange(route, ports, options.signal), question, (json) => json);
    },
  };
}

export type ServiceClient = ReturnType<typeof serviceClient>;

function keyOf(
  name: string,
  { apiKey, apiKeyEnvVar: variable }: Pick<Service, "apiKey" | "apiKeyEnvVar">,
  env: HttpPorts["env"],
): string | undefined {
  if (variable == null) return apiKey ?? undefined;
  const key = own(env, variable);
  if (key !== undefined && key !== "") return key;
  throw wrongConfig(
    `The environment variable ${quoted(variable)}, which rails.config.${name} names for its key, is not set.`,
  );
}

function headersOf(token: string | undefined, header: string): Readonly<Record<string, string>> {
  if (token === undefined) return {};
  const name = header.toLowerCase();
  return { [name]: name === "authorization" ? `Bearer ${token}` : token };
}
