import { SpanKind } from "@opentelemetry/api";
import type { CompletionEvent } from "../chat/message.js";
import {
  type ChatFacts,
  type ChatSpan,
  labelsOf,
  parametersOf,
  type Recording,
  recordedChat,
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

/** Begins a request that is recorded. */
export function recordedRequest(facts: RequestFacts, recording: Recording): RequestSpan {
  const { spans, instruments, capture, now } = recording;
  const startedAt = now();
  const told = new Set<"blocked" | "failed" | "ended">();
  const isFirst = (what: "blocked" | "failed" | "ended"): boolean => {
    const before = told.size;
    return told.add(what).size > before;
  };
  const captured = (
    of: OpenSpan | undefined,
    name: string,
    read: (() => unknown) | undefined,
  ): void => {
    if (of === undefined || read === undefined || !capture.enabled) return;
    of.set(() => {
      const value = read();
      return { [name]: typeof value === "string" ? value : JSON.stringify(value) };
    });
  };
  const openChat = (chat: ChatFacts) => {
    const attributes = { ...labelsOf(chat), ...parametersOf(chat) };
    const span = spans?.open(`chat ${chat.model}`, SpanKind.CLIENT, attributes);
    return { chat: recordedChat(chat, span, recording), context: span?.context };
  };
  const span = spans?.open("guardrails.request", SpanKind.SERVER, {
    "gen_ai.operation.name": "guardrails",
    ...(facts.speculative !== undefined && {
      "speculative_generation.mode_active": facts.speculative,
    }),
  });
  const requestId = facts.requestId ?? idOfTrace(span?.spanContext) ?? randomId();
  span?.set(() => ({ "request.id": requestId }));
  captured(span, "guardrails.request.input", facts.input);
  instruments?.count("requests");
  instruments?.change("active", 1);
  return {
    requestId,
    within: (run) => within(span?.context, run),
    rail: ({ type, name, input }, run) => {
      const attributes = { "rail.type": type, "rail.name": name };
      const rail = spans?.open("guardrails.rail", SpanKind.INTERNAL, attributes);
      captured(rail, "guardrails.rail.input", input);
      const blocked = (reason?: string): void => {
        rail?.set(() => ({
          "rail.stop": true,
          ...(capture.enabled && reason !== undefined && { "guardrails.rail.reason": reason }),
        }));
      };
      return spanned(rail, () => {
        const action = spans?.open("guardrails.action", SpanKind.INTERNAL, { "action.name": name });
        return spanned(action, () => run({ blocked }));
      });
    },
    chat: async (facts, run) => {
      const { chat, context } = openChat(facts);
      try {
        return await within(context, () => run(chat));
      } catch (thrown) {
        chat.failed(thrown);
        throw thrown;
      } finally {
        chat.end();
      }
    },
    chatStream: (facts, start) => {
      const { chat, context } = openChat(facts);
      return tracedStream(chat, context, start);
    },
    service: (name, run) =>
      spanned(spans?.open(`api ${name}`, SpanKind.CLIENT, { "api.name": name }), run),
    blocked: (type) => {
      if (isFirst("blocked")) instruments?.count("blocked", { "rail.type": type });
    },
    failed: (thrown) => {
      if (!isFirst("failed")) return;
      instruments?.count("errors", { "error.type": errorType(thrown) });
      span?.fail(thrown);
    },
    output: (output) => captured(span, "guardrails.request.output", output),
    end: () => {
      if (!isFirst("ended")) return;
      instruments?.change("active", -1);
      instruments?.record("duration", (now() - startedAt) / 1000);
      span?.end();
    },
  };
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
