import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/errors.js";
import { plain, railsOf } from "./plain.js";

const passes = { status: "passed" };
const blocks = { status: "blocked", basis: "policy" };
const fails = { status: "blocked", basis: "error" };

describe("hf classifier check", () => {
  const section = (more: object = {}) => ({
    hf_classifier: {
      tox: {
        engine: "vllm",
        model: "t/x",
        base_url: "http://h",
        blocked_labels: ["toxic", "1"],
        ...more,
      },
    },
  });
  const flow = "hf classifier check input $classifier=tox";
  const judge = (answer: unknown, more: object = {}) =>
    plain("input", flow, section(more), "you", { answer });

  it.each<[string, object, unknown, object]>([
    [
      "vllm",
      { model: "t/x", input: "you" },
      { data: [{ label: "toxic", probs: [0.2, 0.8] }] },
      blocks,
    ],
    ["vllm", { model: "t/x", input: "you" }, { data: [{ label: "fine", probs: [0.9] }] }, passes],
    [
      "vllm",
      { model: "t/x", input: "you" },
      { data: [{ label: "toxic", probs: [0.4, 0.3] }] },
      passes,
    ],
    ["kserve", { instances: ["you"] }, { predictions: [{ toxic: 0.7, fine: 0.3 }] }, blocks],
    ["kserve", { instances: ["you"] }, { predictions: [1] }, blocks],
    ["kserve", { instances: ["you"] }, { predictions: [[0]] }, passes],
    ["kserve", { instances: ["you"] }, { predictions: [[{ label: "toxic", score: 0.5 }]] }, blocks],
    [
      "fms",
      { contents: ["you"], detector_params: { threshold: 0.5 } },
      [[{ detection_type: "toxic", score: 0.9 }]],
      blocks,
    ],
    ["fms", { contents: ["you"], detector_params: { threshold: 0.5 } }, [[]], passes],
  ])("asks a server of %s for %j, and reads %j", async (engine, body, answer, verdict) => {
    const found = await judge(answer, { engine });
    expect(found.verdict).toMatchObject(verdict);
    expect(found.asked).toEqual([{ model: "hf_classifier.tox", body }]);
  });

  it.each([
    [
      "vllm",
      [
        null,
        {},
        [],
        "x",
        { data: [] },
        { data: [{}] },
        { data: [{ label: "fine", probs: [] }] },
        { data: [{ label: "fine", probs: ["0.9"] }] },
        { data: [{ label: 1, probs: [1] }] },
        { data: [{ label: "fine", probs: [Number.NaN] }] },
      ],
    ],
    [
      "kserve",
      [
        null,
        {},
        { predictions: [] },
        { predictions: [null] },
        { predictions: [0.5] },
        { predictions: ["fine"] },
        { predictions: [{}] },
        { predictions: [{ fine: "1" }] },
      ],
    ],
    ["fms", [null, {}, [], [{}], [[{ score: 1 }]], [[{ detection_type: "fine" }]]]],
  ])("fails on every answer of %s that is none", async (engine, answers) => {
    for (const answer of [...answers, new ModelError("status", "s", "m", { status: 401 })]) {
      expect((await judge(answer, { engine })).verdict).toMatchObject(fails);
    }
  });

  it("says what was detected, of the labels that block alone", async () => {
    const data = [
      { label: "toxic", probs: [0.6] },
      { label: "fine", probs: [0.9] },
    ];
    expect((await judge({ data })).verdict).toEqual({
      ...blocks,
      reason: "hf classifier check input",
      metadata: { classifier: "tox", detections: [{ label: "toxic", score: 0.6 }] },
    });
  });

  it("asks nothing about an empty text", async () => {
    expect(
      (await plain("output", "hf classifier check output $classifier=tox", section(), "")).asked,
    ).toEqual([]);
  });

  it.each([
    [{ engine: "local" }, "runs in Python"],
    [{ blocked_labels: [] }, "needs rails.config.hf_classifier.tox.blocked_labels"],
    [{ parameters: { verify_ssl: false } }, "NODE_EXTRA_CA_CERTS"],
    [{ parameters: { ca_cert: "x.pem" } }, "cannot set up TLS"],
  ])("does not load with %j", (more, problem) => {
    expect(() => railsOf("input", flow, section(more))).toThrow(problem);
  });

  it("does not load with a classifier that is not there", () => {
    const other = "hf classifier check input $classifier=txo";
    expect(() => railsOf("input", other, section())).toThrow("Did you mean 'tox'?");
    expect(() => railsOf("input", other.replace("txo", "constructor"), section())).toThrow(
      "'constructor'",
    );
  });
});

describe("http classifier check", () => {
  const verdict = { pointer: "/results/0/flagged", block: [true], allow: [false] };
  const section = (own: object = verdict) => ({
    http_classifier: {
      v: {
        url: "http://h",
        request: { messages: [{ role: "user", content: "{text}" }], n: 1, note: "{text} and more" },
        verdict: own,
      },
    },
  });
  const judge = (answer: unknown, own?: object) =>
    plain("input", "http classifier check input $classifier=v", section(own), "say {text}", {
      answer,
    });

  it("fills the text in where it is to stand, and nowhere else", async () => {
    const { asked } = await judge({ results: [{ flagged: false }] });
    expect(asked).toEqual([
      {
        model: "http_classifier.v",
        body: {
          messages: [{ role: "user", content: "say {text}" }],
          n: 1,
          note: "{text} and more",
        },
      },
    ]);
  });

  it.each<[unknown, object]>([
    [{ results: [{ flagged: false }] }, passes],
    [{ results: [{ flagged: true }] }, blocks],
    [{ results: [{ flagged: "false" }] }, fails],
    [{ results: [{ flagged: null }] }, fails],
    [{ results: [{}] }, fails],
    [{ results: [Object.create({ flagged: false })] }, fails],
    [{ error: "hunter2" }, fails],
    [null, fails],
    [new ModelError("timeout", "v", "m"), fails],
  ])("reads %j", async (answer, expected) => {
    const found = await judge(answer);
    expect(found.verdict).toMatchObject(expected);
    expect(JSON.stringify(found.verdict)).not.toContain("hunter2");
  });

  it.each<[unknown, object]>([
    [{ "a/b": 0.79 }, passes],
    [{ "a/b": 0.8 }, blocks],
    [{ "a/b": "0.9" }, fails],
    [{ "a/b": Number.NaN }, fails],
    [{}, fails],
  ])("holds the score of %j to the least that blocks", async (answer, expected) => {
    expect((await judge(answer, { pointer: "/a~1b", block_from: 0.8 })).verdict).toMatchObject(
      expected,
    );
  });
});

describe("gliner", () => {
  const section = (more: object = {}) => ({
    gliner: { input: { entities: ["email", "name"] }, output: { entities: ["email"] }, ...more },
  });
  const chat = (entities: readonly unknown[]) => ({
    choices: [
      { message: { content: JSON.stringify({ entities, total_entities: entities.length }) } },
    ],
  });
  const text = "😀 I am zoe@x.org";
  const email = { text: "zoe@x.org", label: "email", start: 7, end: 16, score: 0.9 };

  it("asks in the form of a chat where the address is one, and counts characters as Python does", async () => {
    const found = await plain("input", "gliner mask pii on input", section(), text, {
      answer: chat([email]),
    });
    expect(found.asked).toEqual([
      {
        model: "gliner",
        body: {
          model: "nvidia/gliner-pii",
          messages: [{ role: "user", content: text }],
          labels: ["email", "name"],
          threshold: 0.5,
          chunk_length: 384,
          overlap: 128,
          flat_ner: false,
        },
      },
    ]);
    expect(found.text).toBe("😀 I am [EMAIL]");
  });

  it("asks in the plain form at any other address", async () => {
    const answer = {
      entities: [
        {
          value: "zoe@x.org",
          suggested_label: "email",
          start_position: 7,
          end_position: 16,
          score: 1,
        },
      ],
    };
    const at = section({ server_endpoint: "http://h/v1/extract" });
    const found = await plain("output", "gliner detect pii on output", at, text, { answer });
    expect(found.asked[0]?.body).toMatchObject({ text, labels: ["email"] });
    expect(found.verdict).toMatchObject({ ...blocks, metadata: { entities: ["email"] } });
  });

  it.each([
    ["input", "gliner detect pii on input"],
    ["output", "gliner detect pii on output"],
  ] as const)("blocks what it detects on %s, and passes what has none", async (way, flow) => {
    const found = (entities: readonly unknown[]) =>
      plain(way, flow, section(), text, { answer: chat(entities) });
    expect((await found([email])).verdict).toMatchObject({ ...blocks, reason: flow });
    expect((await found([])).verdict).toMatchObject(passes);
  });

  it("passes where nothing is found, and asks nothing about an empty text", async () => {
    const of = (judged: string) =>
      plain("output", "gliner mask pii on output", section(), judged, { answer: chat([]) });
    expect((await of("fine")).verdict).toMatchObject(passes);
    expect((await of("")).asked).toEqual([]);
  });

  it("masks findings that overlap as one, by the surer name", async () => {
    const name = { text: "zoe", label: "name", start: 7, end: 10, score: 0.95 };
    const found = await plain("input", "gliner mask pii on input", section(), text, {
      answer: chat([email, name]),
    });
    expect(found.text).toBe("😀 I am [NAME]");
  });

  it.each([
    null,
    {},
    { choices: [] },
    { choices: [{ message: { content: "no JSON" } }] },
    { choices: [{ message: { content: "{}" } }] },
    chat([{ ...email, start: -1 }]),
    chat([{ ...email, end: 99 }]),
    chat([{ ...email, start: 6 }]),
    chat([{ ...email, end: 7, text: undefined }]),
    chat([{ ...email, score: "high" }]),
    chat([{ ...email, label: 1 }]),
    { choices: [{ message: { content: '{"entities":[],"total_entities":1}' } }] },
    new ModelError("network", "gliner", "m"),
  ])("fails on %j", async (answer) => {
    const found = await plain("input", "gliner mask pii on input", section(), text, { answer });
    expect(found.verdict).toMatchObject(fails);
  });

  it.each([
    [[], 1],
    [
      [{ value: "zoe", suggested_label: "name", start_position: 7, end_position: 10, score: 0.9 }],
      2,
    ],
    [[], "0"],
  ])("fails where the plain form lists %j and counts %j", async (entities, total_entities) => {
    const at = section({ server_endpoint: "http://127.0.0.1:9/find" });
    const answer = { entities, total_entities };
    const found = await plain("output", "gliner detect pii on output", at, text, { answer });
    expect(found.verdict).toMatchObject(fails);
  });

  it("does not load without entities", () => {
    expect(() => railsOf("input", "gliner mask pii on input", { gliner: {} })).toThrow(
      "gliner.input.entities",
    );
  });
});
