import {
  anyText,
  checked,
  httpUrl,
  number,
  orElse,
  orNull,
  section,
  text,
  textLike,
  unread,
  whole,
} from "../shape.js";

/** The service of `jailbreak detection model`. */
export interface JailbreakDetectionSection {
  readonly nim_base_url: string | null;
  /** The path at `nim_base_url`. */
  readonly nim_server_endpoint: string;
  /** A service of your own: asked with `{"prompt": text}` where there is no `nim_base_url`. */
  readonly server_endpoint: string | null;
  readonly api_key: string | null;
  readonly api_key_env_var: string | null;
  /** Deprecated: with `nim_port` it makes `nim_base_url`. */
  readonly nim_url: string | null;
  readonly nim_port: number | null;
}

export const jailbreakDetection = checked(
  section({
    nim_base_url: orNull(httpUrl),
    nim_server_endpoint: orElse(anyText(), "classify"),
    server_endpoint: orNull(httpUrl),
    api_key: orNull(text),
    api_key_env_var: orNull(text),
    nim_url: orNull(textLike(/^[\w.-]+$/, "the name of a host")),
    nim_port: orNull(whole(1, 65_535, "a port")),
    // For the heuristics, which run in Python.
    length_per_perplexity_threshold: orNull(number()),
    prefix_suffix_perplexity_threshold: orNull(number()),
    embedding: unread,
  }),
  ({ nim_base_url, nim_url, nim_port }, report) => {
    if (nim_base_url !== null && nim_url !== null) {
      report([], "must have one of nim_base_url and the deprecated nim_url, and not both");
    }
    if (nim_url === null && nim_port !== null) {
      report(["nim_port"], "says nothing without nim_url: use nim_base_url");
    }
  },
);

/** The base URL of NVIDIA's service, if one is configured by either of its keys. */
export function nimBaseUrl({
  nim_base_url,
  nim_url,
  nim_port,
}: JailbreakDetectionSection): string | undefined {
  if (nim_base_url !== null) return nim_base_url;
  return nim_url === null ? undefined : `http://${nim_url}:${nim_port ?? 8000}/v1`;
}
