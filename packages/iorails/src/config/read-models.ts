import { didYouMean, own, quoted } from "@toolstile/core/provider";
import type { ModelConfig, RailsConfigData } from "./model.js";
import type { Data } from "./plain-data.js";
import { modelSchema } from "./schema.js";
import { type JailbreakDetectionSection, nimBaseUrl } from "./sections/jailbreak-detection.js";
import { items, orElse, type Report } from "./shape.js";

/** The type of the model that NeMo's other engine searches by. */
const searchType = "embeddings";

/** The name under which the registry of models has the jailbreak service. */
const serviceType = "jailbreak_detection";

/** The parameters that say how the model is reached. All others are sent to it. */
const settings = [
  ...["base_url", "api_key", "model_name", "default_headers", "default_query"],
  ...["timeout", "timeout_connect", "max_attempts"],
];

/**
 * The models, each `type` once: upstream lets a later entry take the place of
 * an earlier one without a word.
 */
export function readModels(
  value: Data | undefined,
  jailbreak: JailbreakDetectionSection,
  report: Report,
): Pick<RailsConfigData, "models" | "caches"> {
  const models: ModelConfig[] = [];
  const caches: Record<string, number> = Object.create(null);
  const isService = nimBaseUrl(jailbreak) !== undefined || jailbreak.server_endpoint !== null;
  const entries = orElse(items, [])(value, ["models"], report) ?? [];
  for (const [index, entry] of entries.entries()) {
    const path = ["models", index];
    const model = modelSchema(entry, path, report);
    if (model === undefined) continue;
    if (models.some(({ type }) => type === model.type)) {
      report([...path, "type"], `repeats the model type ${quoted(model.type)}`);
    }
    const { parameters } = model;
    const named = [model.model, own(parameters, "model_name"), own(parameters, "model")];
    const [name, ...others] = named.filter(isName);
    if (name === undefined || others.length > 0) {
      const places = "model, parameters.model, parameters.model_name";
      report(path, `must name its model in exactly one of ${places}`);
    }
    if (Object.hasOwn(parameters, "tools") && !Array.isArray(parameters["tools"])) {
      report([...path, "parameters", "tools"], "must be a list of tools");
    }
    // One that is sent on for a slip would leave the default in force: the request would go to another host.
    for (const key of Object.keys(parameters)) {
      const guess = settings.includes(key) ? "" : didYouMean(key, settings);
      if (guess !== "") report([...path, "parameters"], `has no key ${quoted(key)}.${guess}`, key);
    }
    // As in NeMo, the answers of the main model are never kept.
    if (model.cache.enabled && model.type !== "main") caches[model.type] = model.cache.maxsize;
    // Such an entry is there for the cache of the service; nobody asks it as a model.
    if (model.type === serviceType && isService) continue;
    if (model.type === searchType) continue;
    models.push({
      type: model.type,
      engine: model.engine,
      model: name ?? "",
      apiKeyEnvVar: model.api_key_env_var ?? undefined,
      parameters,
    });
  }
  return { models, caches };
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
