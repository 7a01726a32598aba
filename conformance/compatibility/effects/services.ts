import { completionBody } from "@toolstile/testing";
import { asking, type Effect, status } from "./probe.js";

const jailbreak = (section: object) => ({
  rails: {
    input: { flows: ["jailbreak detection model"] },
    config: { jailbreak_detection: section },
  },
});
const replies = {
  "/classify": { jailbreak: false },
  "/check": { jailbreak: false },
  "/v1/classify": { jailbreak: false },
};
const nim = { nim_base_url: "https://one.test" };
/** The first request, which is the service's. */
const first =
  (of: Parameters<typeof asking>[0]): Effect["ask"] =>
  async (session) =>
    ((await asking(of)(session)) as readonly unknown[])[0];
const address = first(({ url }) => url.href);
const key = first(({ headers }) => headers.get("authorization"));

const jailbreaks: readonly Effect[] = (
  [
    [
      "nim_base_url",
      {},
      ["https://one.test", "https://two.test"],
      address,
      ["https://one.test/classify", "https://two.test/classify"],
    ],
    [
      "nim_server_endpoint",
      nim,
      ["classify", "check"],
      address,
      ["https://one.test/classify", "https://one.test/check"],
    ],
    [
      "nim_url",
      {},
      ["one.test", "two.test"],
      address,
      ["http://one.test:8000/v1/classify", "http://two.test:8000/v1/classify"],
    ],
    [
      "nim_port",
      { nim_url: "one.test" },
      [8_001, 8_002],
      address,
      ["http://one.test:8001/v1/classify", "http://one.test:8002/v1/classify"],
    ],
    [
      "server_endpoint",
      {},
      ["https://one.test/check", "https://two.test/check"],
      address,
      ["https://one.test/check", "https://two.test/check"],
    ],
    ["api_key", nim, ["a", "b"], key, ["Bearer a", "Bearer b"]],
    ["api_key_env_var", nim, ["K1", "K2"], key, ["Bearer first", "Bearer second"]],
  ] as const
).map(([name, section, values, ask, sees]) => ({
  key: `rails.config.jailbreak_detection.${name}`,
  given: jailbreak(section),
  values,
  replies,
  ask,
  sees,
}));

const classifier = {
  engine: "vllm",
  model: "m1",
  base_url: "https://one.test",
  blocked_labels: ["toxic"],
};
const toxic = {
  "/classify": { data: [{ label: "toxic", probs: [0.6] }] },
  "/v1/models/m1:predict": { predictions: [{ toxic: 0.6 }] },
};
const without = (name: keyof typeof classifier | "none") => {
  const { [name as keyof typeof classifier]: _, ...rest } = classifier;
  return {
    rails: {
      input: { flows: ["hf classifier check input $classifier=c"] },
      config: { hf_classifier: { c: rest } },
    },
  };
};
const classifiers: readonly Effect[] = (
  [
    [
      "engine",
      ["vllm", "kserve"],
      first(({ url }) => url.pathname),
      ["/classify", "/v1/models/m1:predict"],
    ],
    ["model", ["m1", "m2"], first(({ body }) => body.model), ["m1", "m2"]],
    ["threshold", [0.5, 0.7], status(), ["blocked", "passed"]],
    ["blocked_labels", [["toxic"], ["other"]], status(), ["blocked", "passed"]],
    [
      "base_url",
      ["https://one.test", "https://two.test"],
      first(({ url }) => url.host),
      ["one.test", "two.test"],
    ],
    ["api_key_env_var", ["K1", "K2"], key, ["Bearer first", "Bearer second"]],
  ] as const
).map(([name, values, ask, sees]) => ({
  key: `rails.config.hf_classifier.*.${name}`,
  given: without(name in classifier ? (name as keyof typeof classifier) : "none"),
  values,
  replies: toxic,
  ask,
  sees,
}));

const entity = {
  value: "ada",
  suggested_label: "name",
  start_position: 0,
  end_position: 3,
  score: 0.9,
};
const found = { "/find": { entities: [entity] }, "/other": { entities: [] } };
const gliner = (direction: "input" | "output", section: object) => ({
  rails: {
    [direction]: { flows: [`gliner detect pii on ${direction}`] },
    config: {
      gliner: {
        server_endpoint: "https://one.test/find",
        input: { entities: ["name"] },
        ...section,
      },
    },
  },
});
const sent = (name: string) => first(({ body }) => body[name]);
const gliners: readonly Effect[] = (
  [
    [
      "server_endpoint",
      {},
      ["https://one.test/find", "https://one.test/other"],
      status("ada"),
      ["blocked", "passed"],
    ],
    ["threshold", {}, [0.5, 0.7], sent("threshold"), [0.5, 0.7]],
    ["chunk_length", {}, [500, 600], sent("chunk_length"), [500, 600]],
    ["overlap", {}, [10, 20], sent("overlap"), [10, 20]],
    ["flat_ner", {}, [true, false], sent("flat_ner"), [true, false]],
    ["api_key_env_var", {}, ["K1", "K2"], key, ["Bearer first", "Bearer second"]],
    ["input.entities", {}, [["name"], ["mail"]], sent("labels"), [["name"], ["mail"]]],
  ] as const
).map(([name, section, values, ask, sees]) => ({
  key: `rails.config.gliner.${name}`,
  given: gliner("input", section),
  values,
  replies: found,
  ask,
  sees,
}));

export const services: readonly Effect[] = [
  {
    key: "rails.config.hf_classifier.*.parameters",
    given: without("none"),
    // What `fetch` cannot do is an error.
    values: [{ verify_ssl: false }, { verify_ssl: true }],
    replies: toxic,
    refused: true,
    ask: status(),
    sees: ["ERR_CONFIG", "blocked"],
  },
  ...jailbreaks,
  ...classifiers,
  ...gliners,
  {
    key: "rails.config.gliner.model",
    given: gliner("input", { server_endpoint: "https://one.test/v1/chat/completions" }),
    values: ["g1", "g2"],
    replies: { "/v1/chat/completions": completionBody({ content: '{"entities":[]}' }) },
    ask: first(({ body }) => body.model),
    sees: ["g1", "g2"],
  },
  {
    key: "rails.config.gliner.output.entities",
    given: gliner("output", {}),
    values: [["name"], ["mail"]],
    replies: found,
    ask: async (session) =>
      ((await asking(({ body }) => body.labels)(session)) as readonly unknown[])[1],
    sees: [["name"], ["mail"]],
  },
];
