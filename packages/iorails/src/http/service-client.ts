import type { CallerSignal } from "@toolstile/core/provider";
import { Exchange } from "./exchange.js";
import { named } from "./failures.js";
import type { HttpPorts, Route } from "./ports.js";
import { readJson } from "./read-json.js";
import { jsonText } from "./request-body.js";
import { ask } from "./retry.js";
import { defaultAttempts, defaultTimeout } from "./route.js";
import { checkedKey, checkedUrl } from "./url.js";

export interface ServiceSettings {
  readonly key?: string | undefined;
  /** The header that has the key. Default `authorization`, where it is a bearer's token. */
  readonly keyHeader?: string | null | undefined;
  /** Seconds. Default 30. */
  readonly timeout?: number | null | undefined;
}

/** A service that guards ask, such as jailbreak detection: JSON in, JSON out. */
export class ServiceClient {
  readonly name: string;
  readonly #route: Route;
  readonly #ports: HttpPorts;

  /**
   * `name` is for errors.
   *
   * @throws ToolstileError `ERR_CONFIG` for a URL or key that cannot be used.
   */
  constructor(name: string, url: string, settings: ServiceSettings, ports: HttpPorts) {
    const { key, keyHeader, timeout } = settings;
    const who = named({ kind: "service", name });
    const token = checkedKey(who, undefined, key);
    this.name = name;
    this.#ports = ports;
    this.#route = {
      kind: "service",
      name,
      url: checkedUrl(`The URL of ${who}`, url),
      headers: headersOf(token, keyHeader ?? "authorization"),
      timeoutMs: (timeout ?? defaultTimeout) * 1_000,
      maxAttempts: defaultAttempts,
    };
  }

  /** @throws ModelError, by the rules of `ModelClient.complete`. */
  async post(
    body: unknown,
    options: { readonly signal?: CallerSignal | undefined } = {},
  ): Promise<unknown> {
    const text = jsonText(body);
    const exchange = new Exchange(this.#route, this.#ports.clock, options.signal);
    try {
      exchange.begin();
      await ask(exchange, this.#ports, { headers: { accept: "application/json" }, body: text });
      const answer = await readJson(exchange);
      exchange.end();
      return answer;
    } catch (thrown) {
      exchange.fail();
      throw thrown;
    }
  }
}

function headersOf(token: string | undefined, header: string): Readonly<Record<string, string>> {
  if (token === undefined) return {};
  const name = header.toLowerCase();
  return { [name]: name === "authorization" ? `Bearer ${token}` : token };
}
