import type { CallerSignal } from "@toolstile/core/provider";
import { readCompletion } from "../chat/completion.js";
import type { Completion } from "../chat/message.js";
import type { ModelConfig } from "../config/model.js";
import { type CompletionStream, EventStream } from "./completion-stream.js";
import { Exchange } from "./exchange.js";
import type { HttpPorts } from "./ports.js";
import { askForJson } from "./read-json.js";
import { bodyDefaults, requestBody } from "./request-body.js";
import { modelRoute } from "./route.js";
import { StreamedAnswer } from "./streamed-answer.js";

export { type HttpPorts, systemPorts } from "./ports.js";
export { checkRequestParameters } from "./request-body.js";
export { type Service, type ServiceClient, serviceClient } from "./service-client.js";

export interface RequestOptions {
  readonly signal?: CallerSignal | undefined;
  /** Sent as `x-client-request-id`, where it is printable ASCII of at most 128 characters. */
  readonly requestId?: string | undefined;
}

/**
 * A client of one model of the configuration, reached over OpenAI's Chat Completions.
 *
 * @throws ToolstileError `ERR_CONFIG` where the configuration leaves no right endpoint, key or setting.
 */
export function modelClient(config: ModelConfig, ports: HttpPorts) {
  const { type: name, model, engine } = config;
  /** The parameters that go into every body, `tools` among them. */
  const defaults = bodyDefaults(config.parameters);
  const route = modelRoute(config, ports.env);
  return {
    model,
    engine,
    /**
     * Ask for one whole answer.
     *
     * `body` holds `messages`, and parameters that replace the configured ones key by key.
     *
     * @throws ModelError, also where the signal aborts; ToolstileError
     *   `ERR_INVALID_OPTION` for a body that cannot be sent.
     */
    complete: async (
      body: Readonly<Record<string, unknown>>,
      options: RequestOptions = {},
    ): Promise<Completion> => {
      const text = requestBody(model, defaults, body, false);
      const headers = { accept: "application/json", ...requestIdHeader(options) };
      const exchange = new Exchange(route, ports, options.signal);
      return askForJson(exchange, { headers, body: text }, (json) => readCompletion(json, name));
    },
    /**
     * Ask for an answer in pieces; the last event is `end`.
     *
     * The connection is read only as events are asked for. Leaving early, by
     * `break` or `return()`, closes it at once, also while a `next()` waits. A
     * generator that is dropped without `return()` keeps it open.
     *
     * @throws ToolstileError `ERR_INVALID_OPTION` at once for a body that cannot
     *   be sent; ModelError from `next()`.
     */
    stream: (
      body: Readonly<Record<string, unknown>>,
      options: RequestOptions = {},
    ): CompletionStream => {
      const text = requestBody(model, defaults, body, true);
      const accept = "text/event-stream, application/json";
      const headers = { accept, ...requestIdHeader(options) };
      const exchange = new Exchange(route, ports, options.signal);
      const answer = new StreamedAnswer(exchange, { headers, body: text }, name);
      return new EventStream(answer, exchange);
    },
  };
}

export type ModelClient = ReturnType<typeof modelClient>;

function requestIdHeader({ requestId }: RequestOptions): Readonly<Record<string, string>> {
  return requestId !== undefined && /^[\x21-\x7e]{1,128}$/.test(requestId)
    ? { "x-client-request-id": requestId }
    : {};
}
