import { quoted } from "@toolstile/core";
import type { Report } from "./check-flows.js";
import type { JailbreakConfig, ModelConfig } from "./model.js";
import { type Data, type DataObject, emptyObject, ordinary } from "./plain-data.js";
import type { Read } from "./read-data.js";
import { jailbreakSchema, listSchema, modelSchema } from "./schema.js";

/** The name under which the registry of models has the jailbreak service. */
const serviceType = "jailbreak_detection";

/**
 * The models, each `type` once: upstream lets a later entry take the place of
 * an earlier one without a word.
 */
export function readModels(
  value: Data | undefined,
  jailbreak: JailbreakConfig,
  read: Read,
  report: Report,
): readonly ModelConfig[] {
  const models: ModelConfig[] = [];
  const entries = (read(value, listSchema, ["models"]) ?? []) as readonly Data[];
  for (const [index, entry] of entries.entries()) {
    const path = ["models", index];
    const model = read(entry, modelSchema, path);
    if (model === undefined) continue;
    if (models.some(({ type }) => type === model.type)) {
      report([...path, "type"], `repeats the model type ${quoted(model.type)}`);
    }
    if (model.type === serviceType && jailbreak.nimBaseUrl !== undefined) {
      report([...path, "type"], `is ${quoted(serviceType)}, the name of the configured service`);
    }
    const parameters = model.parameters ?? emptyObject();
    const [name, ...others] = [model.model, ...modelParameters(parameters)].filter(isName);
    if (name === undefined || others.length > 0) {
      const places = "model, parameters.model, parameters.model_name";
      report(path, `must name its model in exactly one of ${places}`);
    }
    if ("tools" in parameters && !Array.isArray(parameters["tools"])) {
      report([...path, "parameters", "tools"], "must be a list of tools");
    }
    models.push({
      type: model.type,
      engine: model.engine,
      model: name ?? "",
      apiKeyEnvVar: model.api_key_env_var ?? undefined,
      parameters: ordinary(parameters),
    });
  }
  return models;
}

function modelParameters(parameters: DataObject): readonly (Data | undefined)[] {
  return [parameters["model_name"], parameters["model"]];
}

function isName(value: Data | undefined): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** The jailbreak service, with the deprecated `nim_url` and `nim_port` made into its base URL. */
export function readJailbreak(
  value: Data | undefined,
  read: Read,
  report: Report,
): JailbreakConfig {
  const path = ["rails", "config", serviceType];
  const config = read(value ?? emptyObject(), jailbreakSchema, path);
  const host = config?.nim_url ?? undefined;
  const port = config?.nim_port ?? undefined;
  let base = config?.nim_base_url ?? undefined;
  if (base !== undefined && !isHttp(base)) {
    report([...path, "nim_base_url"], "must be an http:// or https:// URL");
  }
  if (base !== undefined && host !== undefined) {
    report(path, "must have one of nim_base_url and the deprecated nim_url, and not both");
  }
  if (host === undefined && port !== undefined) {
    report([...path, "nim_port"], "says nothing without nim_url: use nim_base_url");
  }
  if (base === undefined && host !== undefined) base = `http://${host}:${port ?? 8000}/v1`;
  return {
    nimBaseUrl: base,
    nimServerEndpoint: config?.nim_server_endpoint ?? "classify",
    apiKey: config?.api_key ?? undefined,
    apiKeyEnvVar: config?.api_key_env_var ?? undefined,
  };
}

function isHttp(url: string): boolean {
  try {
    return /^https?:\/\//i.test(url) && new URL(url).hostname !== "";
  } catch {
    return false;
  }
}
