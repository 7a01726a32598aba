import type { GuardrailProvider, JsonObject, ResultGuardrail } from "./guardrail.js";
import type { ToolObserver } from "./outcome.js";

/** A provider as data names it: a provider package exports one as `plugin`. */
export interface GuardrailPlugin<Options = unknown> {
  readonly name: string;
  /** JSON Schema of the options. */
  readonly optionsSchema: JsonObject;
  /**
   * Makes the guard or the observer.
   *
   * A ToolstileError that it throws is told to whoever wrote the options. If its `cause` is an
   * `OptionFaults`, each fault is told with the line where that option stands.
   */
  readonly create: (options: Options) => GuardrailProvider | ResultGuardrail | ToolObserver;
}
