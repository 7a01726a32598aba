import {
  checked,
  flag,
  httpUrl,
  listOf,
  number,
  orElse,
  orNull,
  section,
  text,
  whole,
} from "../shape.js";

/** The settings of one direction: what is looked for. */
export interface GlinerOptions {
  readonly entities: readonly string[];
}

/** The service of the GLiNER rails. */
export interface GlinerSection {
  readonly server_endpoint: string;
  readonly model: string;
  readonly api_key_env_var: string | null;
  readonly threshold: number;
  readonly chunk_length: number;
  readonly overlap: number;
  readonly flat_ner: boolean;
  readonly input: GlinerOptions;
  readonly output: GlinerOptions;
  /** Read, and of no effect: this engine has no retrieval. */
  readonly retrieval: GlinerOptions;
}

const options = section({ entities: orElse(listOf(text), []) });

export const gliner = checked(
  section({
    server_endpoint: orElse(httpUrl, "http://localhost:8000/v1/chat/completions"),
    model: orElse(text, "nvidia/gliner-pii"),
    api_key_env_var: orNull(text),
    threshold: orElse(number(0, 1), 0.5),
    chunk_length: orElse(whole(1), 384),
    overlap: orElse(whole(0), 128),
    flat_ner: orElse(flag, false),
    input: orElse(options),
    output: orElse(options),
    retrieval: orElse(options),
  }),
  ({ chunk_length, overlap }, report) => {
    if (overlap >= chunk_length) report(["overlap"], "must be less than chunk_length");
  },
);
