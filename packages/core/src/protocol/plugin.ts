import type { GuardrailProvider, JsonObject, ResultGuardrail } from "./guardrail.js";
import type { ToolObserver } from "./outcome.js";

/** A provider as data names it: a provider package exports one as `plugin`. */
export interface GuardrailPlugin<Options = unknown> {
  readonly name: string;
  /** JSON Schema of the options. */
  readonly optionsSchema: JsonObject;
  readonly create: (options: Options) => GuardrailProvider | ResultGuardrail | ToolObserver;
}
