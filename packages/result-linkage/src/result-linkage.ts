import type { Deny, ResultGuardrail, ToolCall, ToolResult } from "@toolstile/core";
import {
  allow,
  boolean,
  deny,
  nonEmptyText,
  type OptionTable,
  ownText,
  ownValue,
  readOptions,
} from "@toolstile/core/provider";
import { isContent } from "./content.js";
import { type LinkageCode, reasons } from "./finding.js";

/** The options of `resultLinkage()`. */
export interface ResultLinkageOptions {
  /** Default "result-linkage". */
  readonly name?: string | undefined;
  /** Withhold a result that claims an empty name. Default false. */
  readonly requireNames?: boolean | undefined;
}

const linkageGuardOptions = {
  name: nonEmptyText().default("result-linkage"),
  requireNames: boolean().default(false),
} satisfies OptionTable<ResultLinkageOptions>;

/**
 * Withhold a result that claims to answer another call, or that no model can be shown.
 *
 * A tool's plain return value takes its call's identity, and passes; this is
 * for tools that pass on the answer of another system together with the
 * identity it claims. It judges results only, so it never counts as having
 * judged a call.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION` for wrong options.
 */
export function resultLinkage(options: ResultLinkageOptions = {}): ResultGuardrail {
  const { name, requireNames } = readOptions("resultLinkage()", options, linkageGuardOptions);
  return {
    name,
    evaluateResult: (call, result) =>
      isLinked(call, result) && !(requireNames && ownText(result, "name") === undefined)
        ? allow()
        : withhold(call, result),
  };
}

/**
 * Checks that a result claims what it should, by an id and content of its own. An empty or absent name claims nothing.
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
  if (!isContent(ownValue(result, "content"))) {
    return stop("malformed_content", reasons.malformedContent(callId));
  }
  return claimedName === undefined
    ? stop("missing_name", reasons.missingName(callId, requestedName))
    : stop("name_mismatch", reasons.nameMismatch(claimedName, requestedName, callId));
}

function stop(code: LinkageCode, reason: string): Deny & { readonly approval?: never } {
  return deny(reason, { code });
}
