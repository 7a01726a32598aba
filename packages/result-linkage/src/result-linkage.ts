import {
  allow,
  type Deny,
  deny,
  type ResultGuardrail,
  type ToolCall,
  type ToolResult,
  ToolstileError,
} from "@toolstile/core";
import { isContent } from "./content.js";
import { type LinkageCode, reasons } from "./finding.js";
import { checkOwnOptions, own, ownText, readSwitch } from "./own-property.js";

/** How strictly the results of a runner are held to their calls. */
export interface ResultLinkageOptions {
  /** Default "result-linkage". */
  readonly name?: string | undefined;
  /** Withhold a result that claims an empty name. Default false. */
  readonly requireNames?: boolean | undefined;
}

/**
 * Withhold a result that claims to answer another call, or that no model can be shown.
 *
 * What a tool returns plainly takes its call's identity, and passes; this is
 * for tools that pass on the answer of another system together with the
 * identity it claims. It judges results only, so it never counts as having
 * judged a call.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION` for wrong options.
 */
export function resultLinkage(options: ResultLinkageOptions = {}): ResultGuardrail {
  checkOwnOptions("resultLinkage", options, ["name", "requireNames"]);
  const requireNames = readSwitch("resultLinkage", options, "requireNames");
  const name = own(options, "name") ?? "result-linkage";
  if (typeof name !== "string" || name === "") {
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "resultLinkage: name is a text that is not empty.",
    );
  }
  return {
    name,
    evaluateResult: (call, result) =>
      isLinked(call, result) && !(requireNames && ownText(result, "name") === undefined)
        ? allow()
        : withhold(call, result),
  };
}

/**
 * Whether it claims what it should, by an id and content of its own. An empty name claims nothing, nor does none.
 *
 * Spelled out, as this is asked of every result and a look-up by variable key
 * costs twice as much.
 */
function isLinked({ callId, requestedName }: ToolCall, result: ToolResult): boolean {
  return (
    result.callId === callId &&
    Object.hasOwn(result, "callId") &&
    (result.name === requestedName || result.name === "" || result.name === undefined) &&
    isContent(result.content) &&
    Object.hasOwn(result, "content")
  );
}

function withhold(
  { callId, requestedName }: ToolCall,
  result: ToolResult,
): Deny & { readonly approval?: never } {
  const claimedId = ownText(result, "callId");
  const claimedName = ownText(result, "name");
  if (claimedId === undefined) return stop("missing_call_id", reasons.missingCallId);
  if (claimedId !== callId) return stop("unknown_call_id", reasons.unknownCallId(claimedId));
  if (!isContent(own(result, "content"))) {
    return stop("malformed_content", reasons.malformedContent(callId));
  }
  return claimedName === undefined
    ? stop("missing_name", reasons.missingName(callId, requestedName))
    : stop("name_mismatch", reasons.nameMismatch(claimedName, requestedName, callId));
}

function stop(code: LinkageCode, reason: string): Deny & { readonly approval?: never } {
  return deny(reason, { code });
}
