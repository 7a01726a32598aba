import { isObject } from "@toolstile/core/provider";
import { isPlanted } from "../planted.js";

/**
 * The text of a chunk that says nothing but text, as nearly all of a stream do:
 * what reading it member by member would find, a tenth of the cost.
 *
 * Nothing for any other chunk, and for one with a member that is not known here.
 */
export function plainText(chunk: unknown): string | undefined {
  if (!isObject(chunk) || isPlanted()) return undefined;
  let choices: unknown;
  // For-in is the fastest way through an object. It also visits inherited members.
  for (const key in chunk) {
    switch (key) {
      case "choices":
        choices = chunk[key];
        break;
      case "object":
        if (chunk[key] === "error") return undefined;
        break;
      case "usage":
        if (chunk[key] !== null) return undefined;
        break;
      case "id":
      case "created":
      case "model":
      case "obfuscation":
      case "service_tier":
      case "system_fingerprint":
        break;
      default:
        return undefined;
    }
  }
  return Array.isArray(choices) && choices.length === 1 ? textOfChoice(choices[0]) : undefined;
}

function textOfChoice(choice: unknown): string | undefined {
  if (!isObject(choice)) return undefined;
  let delta: unknown;
  for (const key in choice) {
    switch (key) {
      case "delta":
        delta = choice[key];
        break;
      case "index":
        if (choice[key] !== 0) return undefined;
        break;
      case "finish_reason":
        if (choice[key] !== null) return undefined;
        break;
      case "logprobs":
        break;
      default:
        return undefined;
    }
  }
  return isObject(delta) ? textOfDelta(delta) : undefined;
}

function textOfDelta(delta: Members): string | undefined {
  let content: unknown;
  for (const key in delta) {
    switch (key) {
      case "content":
        content = delta[key];
        break;
      case "role":
        break;
      case "function_call":
      case "reasoning":
      case "reasoning_content":
      case "refusal":
      case "tool_calls":
        if (delta[key] !== null) return undefined;
        break;
      default:
        return undefined;
    }
  }
  return typeof content === "string" ? content : undefined;
}

type Members = Readonly<Record<string, unknown>>;
