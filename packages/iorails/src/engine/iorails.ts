import { ToolstileError } from "@toolstile/core";
import { reportFault } from "@toolstile/core/host";
import { aborted, ClosedMeanwhile, LinkedAbort, unlessAborted } from "../aborted.js";
import type { AskedCall } from "../chat/message.js";
import type { RailsConfigData } from "../config/model.js";
import { invalid } from "../errors.js";
import { systemPorts } from "../http/model-client.js";
import type { RequestFacts, RequestSpan } from "../telemetry/request-span.js";
import type { Recorder } from "../telemetry/unrecorded.js";
import type { Violation } from "../violation.js";
import { type Admission, admission } from "./admission.js";
import type {
  CheckRequest,
  CheckResult,
  GenerationRequest,
  GenerationResult,
  RailsEngine,
  StreamChunk,
} from "./answer.js";
import type { Caller } from "./caller.js";
import { check, readCheck } from "./check.js";
import { decideCall, requestOfCall } from "./decide-call.js";
import { generate } from "./generate.js";
import { type Inner, type Lane, laneOpened, leavable } from "./leavable.js";
import { closeAll, loadNamed } from "./named-guards.js";
import type { GuardrailsOptions } from "./options.js";
import { checkToolSections, type Mounted, modelsOf, type Parts, partsOf } from "./parts.js";
import { modulesOf, type RailsConfig } from "./rails-config.js";
import { type ReadRequest, readRequest } from "./request.js";
import { failure, streamed } from "./stream.js";
import { Turn } from "./turn.js";

/**
 * The engine that runs IORails configurations.
 *
 * Longer than 250 lines: who is let in, and how a stream lets go of its place, share one state.
 */
export class Iorails implements RailsEngine {
  readonly #config: RailsConfig;
  readonly #options: GuardrailsOptions;
  readonly #telemetry: Recorder;
  readonly #requests: Admission;
  readonly #streams: Admission;
  readonly #inCode: Parts;
  /** Absent while what is mounted by name is loaded. */
  #parts: Parts | undefined;
  readonly #ready: Promise<Parts>;
  /** The aborts of the streams that run. */
  readonly #aborts = new Set<LinkedAbort>();
  /** Aborts when `close()` has waited long enough. */
  readonly #late = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(config: RailsConfig, options: GuardrailsOptions) {
    const { data } = config;
    this.#config = config;
    this.#options = options;
    checkToolSections(data, options);
    warnOfParallel(data);
    const models = modelsOf(data, options);
    const modules = modulesOf(config);
    this.#telemetry = modules.recorder({
      tracing: data.tracing,
      metrics: data.metrics,
      env: options.env ?? systemPorts.env,
      now: (options.clock ?? systemPorts.clock).now,
    });
    this.#requests = admission("requests", options.maxRequests ?? 256, options.maxQueued ?? 256);
    this.#streams = admission("streams", options.maxStreams ?? 256, 0);
    const { toolCall = [], toolResult = [] } = options.providers ?? {};
    const partsWith = (loaded: Mounted): Parts => {
      const mounted = {
        toolCall: [...loaded.toolCall, ...toolCall],
        toolResult: [...loaded.toolResult, ...toolResult],
      };
      return partsOf(data, modules, models, mounted, options);
    };
    // What is passed in code is checked here and now, whatever there is still to load.
    this.#inCode = partsWith({ toolCall: [], toolResult: [] });
    const named = data.toolCall.providers.length + data.toolResult.providers.length > 0;
    if (!named) this.#parts = this.#inCode;
    this.#ready = named
      ? unlessAborted(this.#load(partsWith), this.#late.signal)
      : Promise.resolve(this.#inCode);
    // The first request reports the error. There may never be a request.
    this.#ready.catch(() => {});
  }

  async start(): Promise<void> {
    if (this.#closed !== undefined) throw closed();
    await this.#ready;
  }

  async #load(partsWith: (named: Mounted) => Parts): Promise<Parts> {
    const { data, folder } = this.#config;
    const named = await loadNamed(data, folder ?? process.cwd());
    try {
      this.#late.signal.throwIfAborted();
      this.#parts = partsWith(named);
      return this.#parts;
    } catch (error) {
      await closeAll([...named.toolCall, ...named.toolResult]);
      throw error;
    }
  }

  async generate(request: GenerationRequest): Promise<GenerationResult> {
    const read = readRequest(request, this.#inCode.toolsets);
    const speculative = this.#config.data.input.speculativeGeneration;
    const facts = { mode: "generate", speculative, input: () => read.messages } as const;
    return this.#inTurn(facts, read, async (turn, parts, span) => {
      const result = await generate(turn, parts, read);
      span.output(() => result.message);
      return result;
    });
  }

  async check(request: CheckRequest): Promise<CheckResult> {
    const read = readCheck(request, this.#inCode.toolsets);
    const facts = { mode: "check", input: () => read.messages } as const;
    return this.#inTurn(facts, read, (turn, parts) => check(turn, parts, read));
  }

  /** Decides on one call that an agent is about to run by itself. Without a violation it may run. */
  decide(call: AskedCall, caller: Caller): Promise<readonly Violation[]> {
    const read = requestOfCall(call, caller, this.#config.data, this.#inCode.toolsets);
    return this.#inTurn({ mode: "check" }, read, (turn) => decideCall(turn, call));
  }

  #inTurn<T>(
    facts: RequestFacts,
    read: ReadRequest,
    run: (turn: Turn, parts: Parts, span: RequestSpan) => Promise<T>,
  ): Promise<T> {
    const { signal } = read;
    return this.#telemetry.request(facts, async (span) => {
      const leave = await this.#enter(this.#requests, "nonstream", read);
      try {
        const parts = this.#parts ?? (await unlessAborted(this.#ready, signal));
        const newRequestId = () => span.requestId ?? this.#telemetry.newRequestId();
        return await run(new Turn(parts, read, span, newRequestId), parts, span);
      } catch (thrown) {
        throw signal?.aborted === true ? aborted(signal) : thrown;
      } finally {
        leave();
      }
    });
  }

  stream(request: GenerationRequest): AsyncGenerator<StreamChunk, void, void> {
    const read = readRequest(request, this.#inCode.toolsets);
    // Where all guards are known, so is now whether it chooses among them rightly.
    this.#parts?.toggles(read.options);
    if (read.options?.log !== undefined) {
      throw invalid("A stream has no log. Leave out options.log, or use generate().");
    }
    const { output } = this.#config.data;
    if (output.flows.length > 0 && !output.streaming.enabled) {
      throw invalid(
        "The configuration has output rails, so stream() needs rails.output.streaming.enabled. Set it to true.",
      );
    }
    const link = (): LinkedAbort => new LinkedAbort(read.signal);
    return leavable(link, (abort, lane) => this.#stream(read, abort, lane));
  }

  async *#stream(read: ReadRequest, abort: LinkedAbort, lane: Lane): Inner {
    const signal = abort;
    const span = this.#telemetry.startRequest({ mode: "stream", input: () => read.messages });
    const requestId = span.requestId ?? this.#telemetry.newRequestId();
    const inside = { ...read, signal };
    let leave: (() => void) | undefined;
    const over = (): void => {
      this.#aborts.delete(abort);
      signal.removeEventListener("abort", over);
      abort.release();
      span.end();
      leave?.();
    };
    try {
      leave = this.#enterNow(inside) ?? (await this.#enter(this.#streams, "stream", inside));
      this.#aborts.add(abort);
      // Whoever gives up may never ask for the next piece, and must not hold a place.
      signal.addEventListener("abort", over);
      const parts = this.#parts ?? (await unlessAborted(this.#ready, signal));
      const turn = new Turn(parts, inside, span, () => requestId);
      try {
        const chunks = streamed(turn, parts, inside, lane);
        for await (const chunk of chunks) {
          // The stream is over before its last chunk is given: the reader need not ask again.
          if (chunk !== laneOpened && chunk.type !== "text") {
            await chunks.return();
            over();
          }
          yield chunk;
        }
      } catch (thrown) {
        if (signal.aborted) throw aborted(signal);
        span.failed(thrown);
        reportFault(this.#options.onFault, { source: "iorails", phase: "stream", error: thrown });
        over();
        yield failure(thrown, requestId);
      }
    } catch (thrown) {
      span.failed(thrown);
      throw thrown;
    } finally {
      over();
    }
  }

  /** A stream that need not wait. */
  #enterNow({ signal }: ReadRequest): (() => void) | undefined {
    if (this.#closed !== undefined || signal?.aborted === true) return undefined;
    const leave = this.#streams.enterNow();
    return leave && this.#counted("stream", leave);
  }

  #counted(kind: "nonstream" | "stream", leave: () => void): () => void {
    this.#telemetry.active(kind, 1);
    return () => {
      this.#telemetry.active(kind, -1);
      leave();
    };
  }

  /** @throws ToolstileError `ERR_CLOSED`, `ERR_BUSY` or `ERR_ABORTED`. */
  async #enter(
    places: Admission,
    kind: "nonstream" | "stream",
    { signal }: ReadRequest,
  ): Promise<() => void> {
    if (this.#closed !== undefined) throw closed();
    const queued = places.isFull();
    if (queued) this.#telemetry.queued(1);
    try {
      return this.#counted(kind, await places.enter(signal));
    } catch (thrown) {
      if (signal?.aborted === true) throw aborted(signal);
      this.#telemetry.rejected(kind);
      throw thrown;
    } finally {
      if (queued) this.#telemetry.queued(-1);
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  /** Without this, an abandoned stream, or a guard that never loads, would be waited for without end. */
  async #shutDown(): Promise<void> {
    const { clock = systemPorts.clock, closeWithinMs = 30_000 } = this.#options;
    const abortAll = (): void => {
      const reason = new ClosedMeanwhile();
      this.#late.abort(reason);
      for (const abort of this.#aborts) abort.abort(reason);
    };
    const timer = clock.setTimeout(abortAll, closeWithinMs);
    await Promise.all([this.#requests.empty(), this.#streams.empty()]);
    const parts = await this.#ready.catch(() => this.#inCode);
    clock.clearTimeout(timer as never);
    await parts.close();
  }
}

function closed(): ToolstileError {
  return new ToolstileError("ERR_CLOSED", "These rails are closed. Make new ones.");
}

/** NeMo's own wording: whoever migrates looks for it. */
function warnOfParallel({ toolCall, toolResult }: RailsConfigData): void {
  const sections = [toolCall, toolResult]
    .filter(({ parallel, perTool }) => parallel && Object.keys(perTool).length === 0)
    .map(({ name }) => `rails.${name}.parallel`);
  if (sections.length === 0) return;
  process.emitWarning(
    `${sections.join(" and ")} ${sections.length === 1 ? "is" : "are"} not honored by IORails; tool rails run sequentially.`,
  );
}
