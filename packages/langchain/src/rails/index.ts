export { GuardrailViolation } from "./guardrail-violation.js";
export {
  guardrailsMiddleware,
  inputRailsMiddleware,
  outputRailsMiddleware,
} from "./guardrails-middleware.js";
export type { GuardrailsMiddlewareOptions, HookRuntime, OneSidedRailsOptions } from "./options.js";
export type { RailsChecker, RailsSource } from "./rails.js";
