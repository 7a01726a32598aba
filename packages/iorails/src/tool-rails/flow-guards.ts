import { declaredTools } from "@toolstile/allowlist";
import type { GuardrailProvider, ResultGuardrail } from "@toolstile/core";
import { schemaValidation } from "@toolstile/schema";
import { ownGuards } from "./call-violation.js";
import { asResultGuard } from "./mounted.js";
import { noArguments } from "./no-arguments.js";
import { resultSchemaGuard } from "./result-violation.js";

/** This module, which is loaded with the first request that has tools: it needs a JSON Schema validator. */
export interface FlowGuards {
  readonly callGuards: () => readonly GuardrailProvider[];
  readonly resultGuards: () => readonly ResultGuardrail[];
}

/** The guards of the flow `tool call validation`, in the order in which they are asked. */
export function callGuards(): readonly GuardrailProvider[] {
  return [
    declaredTools({ name: ownGuards.declared }),
    // Before the schema: that of a tool that takes nothing accepts everything.
    noArguments(ownGuards.noArguments),
    schemaValidation({ name: ownGuards.schema, resultSchema: false }),
  ];
}

/** The guards of the flow `tool result validation` that judge what a result says. */
export function resultGuards(): readonly ResultGuardrail[] {
  return [asResultGuard(schemaValidation({ name: resultSchemaGuard }))];
}
