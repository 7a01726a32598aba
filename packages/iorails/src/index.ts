export { ModelError, type ModelFault } from "./errors.js";
