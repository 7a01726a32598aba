import {
  checked,
  flag,
  httpUrl,
  listOf,
  mappingOf,
  number,
  oneOf,
  orElse,
  orNull,
  section,
  text,
  unread,
} from "../shape.js";

/** A classifier of texts by labels, which runs on a server. */
export interface HfClassifier {
  readonly engine: "local" | "vllm" | "kserve" | "fms";
  readonly model: string;
  /** The least score of a label that blocks. */
  readonly threshold: number;
  readonly blocked_labels: readonly string[];
  readonly base_url: string | null;
  readonly api_key_env_var: string | null;
  readonly parameters: {
    /** Seconds. */
    readonly timeout: number | null;
    readonly verify_ssl: boolean | null;
    readonly ca_cert: string | null;
    readonly client_cert: string | null;
    readonly client_key: string | null;
  };
}

/** The classifiers, by the name that flows use. */
export type HfClassifierSection = Readonly<Record<string, HfClassifier>>;

export const hfClassifier = checked(
  mappingOf(
    section({
      engine: orElse(oneOf("local", "vllm", "kserve", "fms"), "local"),
      model: text,
      // Only for models that run in Python.
      task: unread,
      threshold: orElse(number(0, 1), 0.5),
      blocked_labels: orElse(listOf(text), []),
      base_url: orNull(httpUrl),
      api_key_env_var: orNull(text),
      parameters: orElse(
        section({
          timeout: orNull(number(0.001)),
          verify_ssl: orNull(flag),
          ca_cert: orNull(text),
          client_cert: orNull(text),
          client_key: orNull(text),
        }),
      ),
    }),
  ),
  (classifiers, report) => {
    for (const [name, { engine, base_url, api_key_env_var }] of Object.entries(classifiers)) {
      if (engine === "local") continue;
      if (base_url === null)
        report([name], `must have a base_url: the engine ${engine} is a server`);
      else if (api_key_env_var !== null && !/^https:/i.test(base_url)) {
        report([name, "base_url"], "must be an https:// URL: the key would travel unencrypted");
      }
    }
  },
);
