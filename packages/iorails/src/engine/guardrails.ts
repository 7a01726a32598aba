import { ToolstileError } from "@toolstile/core";
import { quoted } from "@toolstile/core/provider";
import { invalid, wrongConfig } from "../errors.js";
import { systemPorts } from "../http/model-client.js";
import type {
  CheckRequest,
  CheckResult,
  GenerationRequest,
  GenerationResult,
  RailsEngine,
  StreamChunk,
} from "./answer.js";
import { filledPort } from "./filled-port.js";
import { Iorails } from "./iorails.js";
import { type Fallback, type GuardrailsOptions, readGuardrailsOptions } from "./options.js";
import { checkIsConfig, modulesOf, type RailsConfig, unsupportedReason } from "./rails-config.js";

/**
 * Rails around a chat model, as a NeMo Guardrails configuration has them.
 *
 * A configuration that is for another engine goes to `fallback`; without one,
 * or with `requireIorails`, it is an error: no rail that was configured is ever
 * silently off.
 *
 * @throws ToolstileError `ERR_UNSUPPORTED` for a configuration of another
 *   engine, `ERR_CONFIG` for one that cannot work, `ERR_INVALID_OPTION` or
 *   `ERR_UNKNOWN_OPTION` for wrong options.
 */
export class Guardrails implements RailsEngine, AsyncDisposable {
  readonly #engine: RailsEngine;

  constructor(config: RailsConfig, options: GuardrailsOptions = {}) {
    checkIsConfig("Guardrails", config);
    if (config.data.hooksServer !== undefined) {
      throw wrongConfig(
        "hooks_server says what agents may call, which Guardrails does not ask. Pass the configuration to hooks() of @toolstile/iorails/hooks, or take hooks_server out.",
      );
    }
    const read = readGuardrailsOptions(options);
    const { finder } = modulesOf(config);
    const { sensitiveData, unfilled } = filledPort(config.data, read.sensitiveData, finder);
    const reason = unsupportedReason(config) ?? unfilled;
    this.#engine =
      reason === undefined
        ? new Iorails(config, { ...read, sensitiveData })
        : otherEngine(config, reason, read);
  }

  /**
   * Load what the configuration mounts by name, which the first request does
   * otherwise: what is wrong with it is then known before there is a request.
   *
   * @throws ToolstileError `ERR_PLUGIN` and others, that name the place in the configuration.
   */
  async start(): Promise<void> {
    if (this.#engine instanceof Iorails) await this.#engine.start();
  }

  /**
   * Answers a request, whole.
   *
   * A blocked request has an answer too: the refusal, with status "blocked".
   *
   * @throws ModelError where a model does not answer; ToolstileError
   *   `ERR_ABORTED`, `ERR_BUSY`, `ERR_CLOSED`, or for a request that is wrong.
   */
  generate(request: GenerationRequest): Promise<GenerationResult> {
    return this.#engine.generate(request);
  }

  /**
   * Answers a request piece by piece, read only as fast as it is consumed.
   *
   * A refusal by a rail, or a model's failure to answer, is the last piece.
   * Leaving early closes the connection to the model.
   *
   * @throws ToolstileError at once for a request that is wrong, or output rails
   *   that are not configured for streams; `ERR_ABORTED`, `ERR_BUSY` and
   *   `ERR_CLOSED` when the first piece is asked for.
   */
  stream(request: GenerationRequest): AsyncGenerator<StreamChunk, void, void> {
    return this.#engine.stream(request);
  }

  /** Judge a conversation without a model's answer to it. Guards on calls are asked only, and take nothing. */
  check(request: CheckRequest): Promise<CheckResult> {
    return this.#engine.check(request);
  }

  /** Refuse what comes from now on, wait for what is under way, and close guards and observers. */
  close(): Promise<void> {
    return this.#engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function otherEngine(config: RailsConfig, reason: string, options: GuardrailsOptions): RailsEngine {
  const { fallback, requireIorails } = options;
  if (requireIorails !== true && fallback !== undefined) {
    return engineOf(fallback, config, reason);
  }
  const wayOut =
    requireIorails === true
      ? "requireIorails is set."
      : "There is no other engine: pass one as fallback.";
  throw new ToolstileError("ERR_UNSUPPORTED", `IORails cannot be used: ${reason}. ${wayOut}`);
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for a value that is not an engine, such as a promise of one. */
function engineOf(fallback: Fallback, config: RailsConfig, reason: string): RailsEngine {
  const engine: unknown = fallback(config, reason);
  const { generate, stream, check, close } = Object(engine) as Partial<RailsEngine>;
  if ([generate, stream, check, close].every((each) => typeof each === "function")) {
    return engine as RailsEngine;
  }
  throw invalid(
    "The option 'fallback' must return an engine with generate, stream, check and close.",
  );
}

const variable = "NEMO_GUARDRAILS_IORAILS_ENGINE";

/**
 * NeMo's entry point: these rails where NEMO_GUARDRAILS_IORAILS_ENGINE is
 * true, 1 or yes, else the engine that `fallback` gives.
 *
 * The variable is read with each call, upstream once.
 *
 * @throws ToolstileError `ERR_UNSUPPORTED` where the variable is not set and there is no fallback.
 */
export function LLMRails(config: RailsConfig, options: GuardrailsOptions = {}): RailsEngine {
  const { fallback, env = systemPorts.env } = readGuardrailsOptions(options);
  const asked = Object.hasOwn(env, variable) ? (env[variable] ?? "") : "";
  if (["true", "1", "yes"].includes(asked.toLowerCase())) return new Guardrails(config, options);
  if (fallback !== undefined) return engineOf(fallback, config, `${variable} is not set`);
  throw new ToolstileError(
    "ERR_UNSUPPORTED",
    `LLMRails is another engine unless the environment variable ${quoted(variable)} is true, 1 or yes. Set it, pass a fallback, or use Guardrails.`,
  );
}
