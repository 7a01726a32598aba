import type { JsonObject, ToolOutcome } from "@toolstile/core";
import type { SdkTool } from "./sdk.js";

/** The argument of `toModelOutput`, beside the output. */
interface Told {
  readonly input?: unknown;
}

/**
 * The arguments that tools were run with, where guards changed them.
 *
 * The SDK tells `toModelOutput` the input that the model wrote. It is the very
 * object that `execute` was given: where the history was read anew, it is not
 * known any more.
 */
export class UsedInputs {
  readonly #used = new WeakMap<object, JsonObject>();

  note(input: unknown, { modifiedBy, usedArgs }: ToolOutcome): void {
    if (modifiedBy.length === 0 || usedArgs === undefined) return;
    if (typeof input === "object" && input !== null) this.#used.set(input, usedArgs);
  }

  /** The tool's own `toModelOutput`, told what the tool was run with; nothing, where it has none. */
  toModelOutput(tool: SdkTool): ((told: Told) => unknown) | undefined {
    const { toModelOutput } = tool;
    if (typeof toModelOutput !== "function") return undefined;
    return (told) => {
      const used = this.#used.get(Object(told.input));
      return toModelOutput.call(tool, used === undefined ? told : { ...told, input: used });
    };
  }
}
