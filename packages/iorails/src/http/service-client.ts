import type { CallerSignal } from "@toolstile/core";
import { Exchange } from "./exchange.js";
import { named } from "./failures.js";
import type { HttpPorts, Route } from "./ports.js";
import { readJson } from "./read-json.js";
import { jsonText } from "./request-body.js";
import { ask } from "./retry.js";
import { defaultAttempts, defaultTimeout } from "./route.js";
import { checkedKey, checkedUrl } from "./url.js";

/** A service that guards ask, such as jailbreak detection: JSON in, JSON out. */
export class ServiceClient {
  readonly name: string;
  readonly #route: Route;
  readonly #ports: HttpPorts;

  /**
   * `name` is for errors; `key` goes out as a bearer token, where there is one.
   *
   * @throws ToolstileError `ERR_CONFIG` for a URL or key that cannot be used.
   */
  constructor(name: string, url: string, key: string | undefined, ports: HttpPorts) {
    const who = named({ kind: "service", name });
    const token = checkedKey(who, undefined, key);
    this.name = name;
    this.#ports = ports;
    this.#route = {
      kind: "service",
      name,
      url: checkedUrl(`The URL of ${who}`, url),
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      timeoutMs: defaultTimeout * 1_000,
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
