import type { Flow, RailsConfigData } from "../config/model.js";
import { nimBaseUrl } from "../config/sections/jailbreak-detection.js";
import { classifierShapes } from "./classifier-shapes.js";

/** A service that rails ask, by the name that they know it under. */
export interface Service {
  readonly name: string;
  /** The section of the configuration that it stands in, for errors. */
  readonly section: string;
  readonly url: string;
  readonly apiKey?: string | null | undefined;
  readonly apiKeyEnvVar?: string | null | undefined;
  /** The header that has the key. Default `authorization`, as a bearer's token. */
  readonly keyHeader?: string | null | undefined;
  /** Seconds. */
  readonly timeout?: number | null | undefined;
}

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
  const section = "jailbreak_detection";
  return { name: section, section, url, apiKey: api_key, apiKeyEnvVar: api_key_env_var };
}

function glinerService({ gliner }: Sections): Service {
  const { server_endpoint: url, api_key_env_var: apiKeyEnvVar } = gliner;
  return { name: "gliner", section: "gliner", url, apiKeyEnvVar };
}

function hfService({ parameters }: Flow, { hf_classifier }: Sections): Service | undefined {
  const { classifier: name = "" } = parameters;
  const classifier = Object.hasOwn(hf_classifier, name) ? hf_classifier[name] : undefined;
  const shape = classifier && classifierShapes.get(classifier.engine);
  if (shape === undefined || classifier === undefined || classifier.base_url === null) {
    return undefined;
  }
  const section = `hf_classifier.${name}`;
  return {
    name: section,
    section,
    url: joined(classifier.base_url, shape.path(classifier.model)),
    apiKeyEnvVar: classifier.api_key_env_var,
    timeout: classifier.parameters.timeout,
  };
}

function httpService({ parameters }: Flow, { http_classifier }: Sections): Service | undefined {
  const { classifier: name = "" } = parameters;
  const own = Object.hasOwn(http_classifier, name) ? http_classifier[name] : undefined;
  if (own === undefined) return undefined;
  const { url, api_key_env_var: apiKeyEnvVar, key_header: keyHeader, timeout } = own;
  const section = `http_classifier.${name}`;
  return { name: section, section, url, apiKeyEnvVar, keyHeader, timeout };
}

function joined(base: string, path: string): string {
  let end = base.length;
  while (base[end - 1] === "/") end--;
  return `${base.slice(0, end)}/${path.replace(/^\/+/, "")}`;
}
