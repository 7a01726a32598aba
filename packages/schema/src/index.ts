export { type CompiledSchema, compileSchema } from "./compile-schema.js";
export type { Draft } from "./drafts/dialects.js";
export type { CompileOptions, SchemaValidationOptions } from "./options.js";
export { plugin, schemaValidation } from "./schema-validation.js";
export type { Violation } from "./violations/violation.js";
