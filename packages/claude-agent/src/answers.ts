import type { JsonObject } from "@toolstile/core";
import type { HookOutput } from "./sdk.js";

/** The SDK's own rules have the word: saying "allow" here would skip them. */
export const goOn: HookOutput = Object.freeze({});

export function denied(reason: string): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  };
}

export function withArguments(updatedInput: JsonObject): HookOutput {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput } };
}

export function withResponse(updatedToolOutput: unknown): HookOutput {
  return { hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput } };
}

/** The model is not asked again. */
export function stopped(stopReason: string): HookOutput {
  return { continue: false, stopReason };
}
