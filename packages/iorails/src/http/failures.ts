import { quoted } from "@toolstile/core/provider";
import { ModelError, type ModelFault } from "../errors.js";
import type { Route } from "./ports.js";

// No error made here has a cause: what a failed `fetch` throws may carry the
// bytes that the provider sent.

/** "model 'main'". */
export function named(route: Pick<Route, "kind" | "name">): string {
  return `${route.kind} ${quoted(route.name)}`;
}

/** The answer that counts, once its head is there. */
type Head = Response | undefined;

export function aborted(route: Route, response: Head): ModelError {
  return failure("aborted", route, `The request to ${named(route)} was aborted.`, response);
}

export function timedOut(route: Route, response: Head): ModelError {
  const message = `The ${named(route)} did not answer within ${route.timeoutMs / 1_000} s.`;
  return failure("timeout", route, message, response);
}

/** The error for an answer that goes on, in pieces that each come in time. */
export function endless(route: Route, response: Head, timeouts: number): ModelError {
  const seconds = (timeouts * route.timeoutMs) / 1_000;
  const message = `The ${named(route)} did not end its answer within ${seconds} s of waiting.`;
  return failure("timeout", route, message, response);
}

/** The error for a status other than success. */
export function refused(
  route: Route,
  response: Response,
  retryAfterMs: number | undefined,
): ModelError {
  const isRedirect =
    response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  const message = isRedirect
    ? `The ${named(route)} answered with a redirect, which is not followed, because the key would travel.`
    : `The ${named(route)} answered with status ${response.status}.`;
  return new ModelError("status", route.name, message, { ...saidBy(response), retryAfterMs });
}

/** The error for an answer that cannot be read; `what` is our own sentence on it. */
export function malformed(route: Route, what: string, response: Head): ModelError {
  return failure("malformed", route, `The answer of ${named(route)} ${what}.`, response);
}

/** The error for an answer in which the provider reports one of its own. */
export function reported(route: Route, response: Head): ModelError {
  return failure(
    "provider",
    route,
    `The ${named(route)} reported an error in its answer.`,
    response,
  );
}

/** The error for an answer that ended, or broke, before it was whole. */
export function brokenOff(route: Route, response: Head): ModelError {
  return failure("network", route, `The answer of ${named(route)} broke off.`, response);
}

/** The error for what `fetch` or a body threw; `response` is there once the answer has begun. */
export function failed(route: Route, thrown: unknown, response?: Head): ModelError {
  const code = systemCode(thrown);
  const shown = code === undefined ? "" : ` (${code})`;
  const fault = faultOf(thrown, code);
  if (fault === "timeout") {
    return failure(fault, route, `The ${named(route)} did not answer in time${shown}.`, response);
  }
  if (fault === "malformed") {
    return failure(fault, route, `The answer of ${named(route)} cannot be read${shown}.`, response);
  }
  return response === undefined
    ? failure(fault, route, `The ${named(route)} cannot be reached${shown}.`)
    : failure(fault, route, `The answer of ${named(route)} broke off${shown}.`, response);
}

function failure(fault: ModelFault, route: Route, message: string, response?: Head): ModelError {
  return new ModelError(fault, route.name, message, saidBy(response));
}

/** The facts for an error in the head of an answer. */
function saidBy(response: Head) {
  if (response === undefined) return {};
  return { status: response.status, providerRequestId: providerRequestId(response.headers) };
}

const requestIdHeaders = ["x-request-id", "request-id", "nvcf-reqid"];

function providerRequestId(headers: Headers): string | undefined {
  for (const header of requestIdHeaders) {
    const id = headers.get(header);
    if (id !== null && /^[\x20-\x7e]{1,128}$/.test(id)) return id;
  }
  return undefined;
}

/** A code such as ECONNREFUSED, which the run time writes and the provider does not. */
function systemCode(thrown: unknown): string | undefined {
  for (const error of causes(thrown)) {
    const code: unknown = Object.hasOwn(error, "code") ? Reflect.get(error, "code") : undefined;
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{1,48}$/.test(code)) return code;
  }
  return undefined;
}

/** The thrown error and its causes, up to four. */
function causes(thrown: unknown): readonly Error[] {
  const errors: Error[] = [];
  for (let error = thrown; error instanceof Error && errors.length < 4; error = error.cause) {
    errors.push(error);
  }
  return errors;
}

/** From Node's codes: HPE_ is its HTTP parser, Z_ its decompression. Another `fetch` has none of them. */
function faultOf(thrown: unknown, code: string | undefined): ModelFault {
  // On Node 24 the parser's errors have no code.
  if (causes(thrown).some(({ name }) => name === "HTTPParserError")) return "malformed";
  if (code === undefined) return "network";
  if (/^(?:HPE_|Z_|ERR_BROTLI|UND_ERR_HEADERS_OVERFLOW)/.test(code)) return "malformed";
  return code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT"
    ? "timeout"
    : "network";
}

/** The same fault, with what the answer's head said. */
export function enriched(thrown: unknown, response: Head): unknown {
  if (!ModelError.isInstance(thrown) || thrown.status !== undefined) return thrown;
  return new ModelError(thrown.fault, thrown.model, thrown.message, saidBy(response));
}
