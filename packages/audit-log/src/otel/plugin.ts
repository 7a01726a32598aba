import type { GuardrailPlugin } from "@toolstile/core/provider";
import { type OtelOptions, otel } from "./observer.js";

/** The options of `otel()` that data can say. Providers are those that are registered with OpenTelemetry's API. */
export type OtelPluginOptions = Pick<OtelOptions, "captureContent" | "name">;

/** Names `otel` in data. */
export const plugin: GuardrailPlugin<OtelPluginOptions> = {
  name: "otel",
  optionsSchema: {
    type: "object",
    properties: {
      captureContent: {
        type: "boolean",
        description: "true: spans hold arguments, results and reasons of denials.",
      },
      name: { type: "string", minLength: 1 },
    },
    additionalProperties: false,
  },
  create: otel,
};
