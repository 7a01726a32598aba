import { ToolstileError } from "@toolstile/core";
import { ModelError } from "../errors.js";

/**
 * The kind of an error: of a model, its status or fault; of Toolstile, its
 * code; else the name of the class. Never a message.
 *
 * `_OTHER` is the fallback that OpenTelemetry's conventions give `error.type`.
 */
export function errorType(thrown: unknown): string {
  try {
    if (ModelError.isInstance(thrown)) {
      return thrown.status === undefined ? thrown.fault : String(thrown.status);
    }
    if (ToolstileError.isInstance(thrown)) return thrown.code;
    const made: unknown = Object.getPrototypeOf(thrown)?.constructor;
    const name = thrown instanceof Error && typeof made === "function" ? made.name : "";
    return /^[A-Za-z_$][\w$]{0,63}$/.test(name) ? name : "_OTHER";
  } catch {
    return "_OTHER";
  }
}
