import { own } from "@toolstile/core/provider";
import type { Flow, RailsConfigData } from "../config/model.js";
import { nimBaseUrl } from "../config/sections/jailbreak-detection.js";
import type { Service } from "../http/model-client.js";
import { withoutSlashes } from "../http/url.js";
import { classifierShapes } from "./classifier-shapes.js";

/** The services that the flows of a configuration ask. */
export function servicesOf(data: RailsConfigData): readonly Service[] {
  const services = new Map<string, Service>();
  for (const flow of [...data.input.flows, ...data.output.flows]) {
    const service = serviceOf(flow, data);
    if (service !== undefined) services.set(service.name, service);
  }
  return [...services.values()];
}

function serviceOf(flow: Flow, { config }: RailsConfigData): Service | undefined {
  if (flow.name === "jailbreak detection model") return jailbreakService(config);
  if (flow.name.startsWith("gliner ")) return glinerService(config);
  if (flow.name.startsWith("hf classifier ")) return hfService(flow, config);
  return flow.name.startsWith("http classifier ") ? httpService(flow, config) : undefined;
}

type Sections = RailsConfigData["config"];

function jailbreakService({ jailbreak_detection }: Sections): Service | undefined {
  const { nim_server_endpoint, server_endpoint, api_key, api_key_env_var } = jailbreak_detection;
  const base = nimBaseUrl(jailbreak_detection);
  const url = base === undefined ? server_endpoint : joined(base, nim_server_endpoint);
  if (url === null) return undefined;
  return { name: "jailbreak_detection", url, apiKey: api_key, apiKeyEnvVar: api_key_env_var };
}

function glinerService({ gliner }: Sections): Service {
  const { server_endpoint: url, api_key_env_var: apiKeyEnvVar } = gliner;
  return { name: "gliner", url, apiKeyEnvVar };
}

function hfService({ parameters }: Flow, { hf_classifier }: Sections): Service | undefined {
  const { classifier: name = "" } = parameters;
  const classifier = own(hf_classifier, name);
  const shape = classifier && classifierShapes.get(classifier.engine);
  if (shape === undefined || classifier === undefined || classifier.base_url === null) {
    return undefined;
  }
  return {
    name: `hf_classifier.${name}`,
    url: joined(classifier.base_url, shape.path(classifier.model)),
    apiKeyEnvVar: classifier.api_key_env_var,
    timeout: classifier.parameters.timeout,
  };
}

function httpService({ parameters }: Flow, { http_classifier }: Sections): Service | undefined {
  const { classifier: name = "" } = parameters;
  const classifier = own(http_classifier, name);
  if (classifier === undefined) return undefined;
  const { url, api_key_env_var: apiKeyEnvVar, key_header: keyHeader, timeout } = classifier;
  return { name: `http_classifier.${name}`, url, apiKeyEnvVar, keyHeader, timeout };
}

function joined(base: string, path: string): string {
  return `${withoutSlashes(base)}/${path.replace(/^\/+/, "")}`;
}
