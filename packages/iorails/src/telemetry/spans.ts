import {
  type Attributes,
  type Context,
  context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { errorType } from "./error-type.js";
import { quietly } from "./quietly.js";

/** A span of one request, and the context in which it is the active one. */
export interface OpenSpan {
  readonly context: Context;
  readonly spanContext: SpanContext | undefined;
  readonly set: (attributes: () => Attributes) => void;
  readonly event: (name: string, attributes: Attributes) => void;
  /** Marks the span as failed, with the kind of error and none of its words. */
  readonly fail: (thrown: unknown) => void;
  readonly end: () => void;
}

/** The request that a context belongs to: a span of the caller's own may share its trace. */
const ownerKey = createContextKey("toolstile.iorails.request");

/** The spans of one request. */
export function requestSpans(tracer: Tracer) {
  const owner = {};
  let root: Context | undefined;
  const parent = (): Context => {
    const active = quietly(() => context.active()) ?? ROOT_CONTEXT;
    if (root === undefined) return active;
    return quietly(() => active.getValue(ownerKey)) === owner ? active : root;
  };
  return {
    /** Opens a span under the active one of this request; under the first where none is active. */
    open: (name: string, kind: SpanKind, attributes: Attributes): OpenSpan | undefined => {
      const above = parent();
      const span = quietly(() => tracer.startSpan(name, { kind, attributes }, above));
      const inside = span && quietly(() => trace.setSpan(above, span).setValue(ownerKey, owner));
      if (span === undefined || inside === undefined) return undefined;
      root ??= inside;
      return opened(span, inside);
    },
  };
}

export type RequestSpans = ReturnType<typeof requestSpans>;

function opened(span: Span, inside: Context): OpenSpan {
  return {
    context: inside,
    spanContext: quietly(() => span.spanContext()),
    set: (attributes) => {
      quietly(() => span.setAttributes(attributes()));
    },
    event: (name, attributes) => {
      quietly(() => span.addEvent(name, attributes));
    },
    fail: (thrown) => {
      quietly(() => span.setAttribute("error.type", errorType(thrown)));
      quietly(() => span.setStatus({ code: SpanStatusCode.ERROR }));
    },
    end: () => {
      quietly(() => span.end());
    },
  };
}
