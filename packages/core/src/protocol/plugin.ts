import type { Approver } from "./approval.js";
import type { GuardrailProvider, JsonObject, ResultGuardrail } from "./guardrail.js";
import type { ToolObserver } from "./outcome.js";

/** A guard, an observer or an approver as data names it: its package exports one as `plugin`. */
export interface GuardrailPlugin<Options = unknown> {
  readonly name: string;
  /** JSON Schema of the options. In a schema with `properties`, `"x-meant": { over: "above" }` says which one people mean by a name that there is not. */
  readonly optionsSchema: JsonObject;
  /**
   * Throws a ToolstileError if a package that `create` loads is not installed. It makes nothing: those who only look at a
   * configuration ask too.
   */
  readonly checkInstalled?: (() => void) | undefined;
  /**
   * Makes the guard, the observer or the approver.
   *
   * A ToolstileError that it throws is told to whoever wrote the options. If its `cause` is an
   * `OptionFaults`, each fault is told with the line where that option stands.
   */
  readonly create: (
    options: Options,
  ) => GuardrailProvider | ResultGuardrail | ToolObserver | Approver;
}
