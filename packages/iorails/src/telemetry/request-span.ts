import { SpanKind } from "@opentelemetry/api";
import type { CompletionEvent } from "../chat/message.js";
import {
  type ChatFacts,
  type ChatSpan,
  labelsOf,
  parametersOf,
  RecordedChat,
  type Recording,
} from "./chat-span.js";
import { errorType } from "./error-type.js";
import { within } from "./quietly.js";
import { randomId } from "./request-id.js";
import type { OpenSpan } from "./spans.js";
import { idOfTrace } from "./trace-id.js";
import { tracedStream } from "./traced-stream.js";

/** The model's view, as in NeMo Guardrails: results of tools are its input, calls its output. */
export type RailType = "Input" | "Output";

export interface RequestFacts {
  /** Absent: the low 64 bits of the trace's id, else random. */
  readonly requestId?: string | undefined;
  readonly mode: "generate" | "stream" | "check";
  readonly speculative?: boolean | undefined;
  /** The caller's request. Called only if content is captured. */
  readonly input?: (() => unknown) | undefined;
}

export interface RailFacts {
  readonly type: RailType;
  /** The flow's name. */
  readonly name: string;
  /** The text that the rail judges. Called only if content is captured. */
  readonly input?: (() => unknown) | undefined;
}

export interface RailSpan {
  /** The reason is recorded only where content is captured. */
  readonly blocked: (reason?: string | undefined) => void;
}

/** One request. All its members may be called at any time, also after the end. */
export interface RequestSpan {
  /** Absent where nothing is recorded. */
  readonly requestId: string | undefined;
  /** Runs with this request as the active one, for a stream whose request was started. */
  readonly within: <T>(run: () => Promise<T>) => Promise<T>;
  /** Waits only where what it runs does, or it is recorded. */
  readonly rail: <T>(facts: RailFacts, run: (rail: RailSpan) => T | Promise<T>) => T | Promise<T>;
  readonly chat: <T>(facts: ChatFacts, run: (chat: ChatSpan) => Promise<T>) => Promise<T>;
  /** Records a streamed answer as it is read. */
  readonly chatStream: (
    facts: ChatFacts,
    start: () => AsyncGenerator<CompletionEvent, void, void>,
  ) => AsyncGenerator<CompletionEvent, void, void>;
  readonly service: <T>(name: string, run: () => Promise<T>) => Promise<T>;
  /** A rail blocked the request. Counts once. */
  readonly blocked: (type: RailType) => void;
  /** The request ended in an error, also one that its stream swallowed. Counts once. */
  readonly failed: (thrown: unknown) => void;
  /** Records the answer to the caller. The function is called only if content is captured. */
  readonly output: (output: () => unknown) => void;
  readonly end: () => void;
}

export class RecordedRequest implements RequestSpan {
  readonly requestId: string;
  readonly #recording: Recording;
  readonly #span: OpenSpan | undefined;
  readonly #startedAt: number;
  #blocked = false;
  #failed = false;
  #ended = false;

  constructor(facts: RequestFacts, recording: Recording) {
    this.#recording = recording;
    this.#startedAt = recording.now();
    this.#span = recording.spans?.open("guardrails.request", SpanKind.SERVER, {
      "gen_ai.operation.name": "guardrails",
      ...(facts.speculative !== undefined && {
        "speculative_generation.mode_active": facts.speculative,
      }),
    });
    const id = facts.requestId ?? idOfTrace(this.#span?.spanContext) ?? randomId();
    this.requestId = id;
    this.#span?.set(() => ({ "request.id": id }));
    this.#captured(this.#span, "guardrails.request.input", facts.input);
    recording.instruments?.count("requests");
    recording.instruments?.change("active", 1);
  }

  within<T>(run: () => Promise<T>): Promise<T> {
    return within(this.#span?.context, run);
  }

  async rail<T>(facts: RailFacts, run: (rail: RailSpan) => T | Promise<T>): Promise<T> {
    const { spans, capture } = this.#recording;
    const span = spans?.open("guardrails.rail", SpanKind.INTERNAL, {
      "rail.type": facts.type,
      "rail.name": facts.name,
    });
    this.#captured(span, "guardrails.rail.input", facts.input);
    const blocked = (reason?: string): void => {
      span?.set(() => ({
        "rail.stop": true,
        ...(capture.enabled && reason !== undefined && { "guardrails.rail.reason": reason }),
      }));
    };
    return spanned(span, () => {
      const attributes = { "action.name": facts.name };
      const action = spans?.open("guardrails.action", SpanKind.INTERNAL, attributes);
      return spanned(action, () => run({ blocked }));
    });
  }

  async chat<T>(facts: ChatFacts, run: (chat: ChatSpan) => Promise<T>): Promise<T> {
    const { chat, span } = this.#openChat(facts);
    try {
      return await within(span?.context, () => run(chat));
    } catch (thrown) {
      chat.failed(thrown);
      throw thrown;
    } finally {
      chat.end();
    }
  }

  chatStream(
    facts: ChatFacts,
    start: () => AsyncGenerator<CompletionEvent, void, void>,
  ): AsyncGenerator<CompletionEvent, void, void> {
    const { chat, span } = this.#openChat(facts);
    return tracedStream(chat, span?.context, start);
  }

  async service<T>(name: string, run: () => Promise<T>): Promise<T> {
    const attributes = { "api.name": name };
    return spanned(this.#recording.spans?.open(`api ${name}`, SpanKind.CLIENT, attributes), run);
  }

  blocked(type: RailType): void {
    if (this.#blocked) return;
    this.#blocked = true;
    this.#recording.instruments?.count("blocked", { "rail.type": type });
  }

  failed(thrown: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#recording.instruments?.count("errors", { "error.type": errorType(thrown) });
    this.#span?.fail(thrown);
  }

  output(output: () => unknown): void {
    this.#captured(this.#span, "guardrails.request.output", output);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const { instruments, now } = this.#recording;
    instruments?.change("active", -1);
    instruments?.record("duration", (now() - this.#startedAt) / 1000);
    this.#span?.end();
  }

  #openChat(facts: ChatFacts): { chat: RecordedChat; span: OpenSpan | undefined } {
    const span = this.#recording.spans?.open(`chat ${facts.model}`, SpanKind.CLIENT, {
      ...labelsOf(facts),
      ...parametersOf(facts),
    });
    return { chat: new RecordedChat(facts, span, this.#recording), span };
  }

  #captured(span: OpenSpan | undefined, name: string, read: (() => unknown) | undefined): void {
    if (span === undefined || read === undefined || !this.#recording.capture.enabled) return;
    span.set(() => {
      const value = read();
      return { [name]: typeof value === "string" ? value : JSON.stringify(value) };
    });
  }
}

/** Runs inside a span, which ends with it. */
async function spanned<T>(span: OpenSpan | undefined, run: () => T | Promise<T>): Promise<T> {
  try {
    return await within(span?.context, run);
  } catch (thrown) {
    span?.fail(thrown);
    throw thrown;
  } finally {
    span?.end();
  }
}
