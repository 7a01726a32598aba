import { ToolstileError } from "../errors/error.js";
import { canonicalJson } from "../json/canonical.js";
import type { JsonObject } from "../protocol/guardrail.js";
import type { CallerSignal } from "../time/abort.js";
import type { Call } from "./head.js";

const minting = Symbol("minting");

/**
 * Proof that one call, with exactly these arguments, was decided and admitted.
 *
 * Only a finished `open` mints one. Dispatch spends it, it lets a sealed tool
 * run once, and it is void when the call is closed.
 */
export class Permit {
  readonly #run: object;
  readonly #toolName: string;
  readonly #args: JsonObject;
  readonly #caller: CallerSignal | undefined;
  #spent = false;
  #entered = false;
  #void = false;

  constructor(key: typeof minting, call: Call, caller: CallerSignal | undefined) {
    if (key !== minting) throw refused("A permit cannot be made, only opened for.");
    this.#run = call.run;
    this.#toolName = call.toolName;
    this.#args = call.args;
    this.#caller = caller;
  }

  /** @throws ToolstileError `ERR_PERMIT` unless it was minted for this call and is unspent. */
  static spend(permit: Permit, call: Call): void {
    if (!(#run in permit) || permit.#run !== call.run || permit.#args !== call.args) {
      throw refused("This permit was not minted for this call and these arguments.");
    }
    if (permit.#spent || permit.#void) throw refused("This permit has been used.");
    permit.#spent = true;
  }

  /**
   * @returns the arguments that were decided on: those given may change as they are read.
   * @throws ToolstileError `ERR_PERMIT` unless it lets in this tool, with these arguments, for the first time.
   */
  static enter(permit: unknown, toolName: string, args: unknown): JsonObject {
    if (typeof permit !== "object" || permit === null || !(#run in permit)) {
      throw refused(`The tool '${toolName}' is sealed. Call it through its runner.`);
    }
    if (permit.#void || permit.#entered || permit.#toolName !== toolName) {
      throw refused(`This permit does not, or no longer, let in the tool '${toolName}'.`);
    }
    if (permit.#caller?.aborted === true) {
      throw refused(`The caller has aborted the call of the tool '${toolName}'.`);
    }
    if (args !== permit.#args && canonicalJson(args) !== canonicalJson(permit.#args)) {
      throw refused(`The tool '${toolName}' was given other arguments than were decided on.`);
    }
    permit.#entered = true;
    return permit.#args;
  }

  /** True if the permit has let anything run. */
  static used(permit: Permit): boolean {
    return permit.#spent || permit.#entered;
  }

  static revoke(permit: Permit): void {
    permit.#void = true;
  }

  static mint(call: Call, caller?: CallerSignal): Permit {
    return new Permit(minting, call, caller);
  }
}

// From a permit its holder must not reach the class, which mints permits.
Object.defineProperty(Permit.prototype, "constructor", { value: undefined });

function refused(message: string): ToolstileError {
  return new ToolstileError("ERR_PERMIT", message);
}
