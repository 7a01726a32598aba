import {
  anything,
  either,
  flag,
  listOf,
  members,
  number,
  type Shape,
  tagged,
  text,
  word,
} from "./shape.js";

/** A point up to which a provider may remember the conversation. Anthropic's models behind Chat Completions. */
const cacheControl = { cache_control: members({ type: word, ttl: word }) };

/** The signature of a thought, which Gemini wants back. */
const extraContent = {
  extra_content: members({ google: members({ thought_signature: text }) }),
};

const textPart = { text: { text, ...cacheControl } };

/** The parts of a user's message: those of OpenAI, and Mistral's documents. */
const spokenParts = {
  ...textPart,
  image_url: {
    image_url: either(text, members({ url: text, detail: word })),
    ...cacheControl,
  },
  input_audio: { input_audio: either(text, members({ data: text, format: word })) },
  file: {
    file: members({ file_id: text, file_data: text, filename: text, format: text }),
    ...cacheControl,
  },
  document_url: { document_url: text, document_name: text },
};

/** The parts of a model's message. Mistral has its thinking as a part. */
const answerParts = {
  ...textPart,
  refusal: { refusal: text },
  thinking: { thinking: either(text, listOf(tagged(textPart))), closed: flag, signature: text },
};

const said = (part: Shape): Shape => either(text, listOf(either(text, part)));

/** A part of a result. It may be read by a guard, and by the model. */
export const resultPart: Shape = tagged(spokenParts);

/** A shape that is asked of objects only: a call that is none is another finding. */
function ifObject(shape: Shape): Shape {
  return (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? shape(value) : undefined;
}

const functionCall = members({ name: anything, arguments: anything, receipt: anything });

/** An entry of `tool_calls`. */
const call = members({
  id: anything,
  type: text,
  index: number,
  function: members({ name: text, arguments: anything, receipt: anything }),
  custom: members({ name: text, input: anything }),
  // An older form: beside the name in the entry itself.
  name: text,
  args: anything,
  arguments: anything,
  receipt: anything,
  ...extraContent,
});

const entries = listOf(ifObject(call));
const calls: Shape = (value) => (Array.isArray(value) ? entries(value) : undefined);

/** Members that are linked, or are a finding of their own where a role may not have them. */
const common = {
  role: text,
  name: text,
  receipt: anything,
  tool_calls: calls,
  function_call: ifObject(functionCall),
  tool_call_id: anything,
};

/** Content and name of a result are judged with its linkage. */
const result = members({ ...common, name: anything, content: anything });
const instruction = members({ ...common, content: said(tagged(textPart)) });

const citation = members({
  start_index: number,
  end_index: number,
  title: text,
  url: text,
});

/** OpenRouter's form of what a model thought, to be sent back. */
const reasoningPart = members({
  type: text,
  id: text,
  format: text,
  index: number,
  text,
  summary: text,
  data: text,
  signature: text,
});

/** The shape of a message for each role. */
export const messageShapes: ReadonlyMap<string, Shape> = new Map([
  [
    "assistant",
    members({
      ...common,
      content: said(tagged(answerParts)),
      refusal: text,
      audio: members({ id: text, data: text, expires_at: number, transcript: text }),
      annotations: listOf(tagged({ url_citation: { url_citation: citation } })),
      reasoning: text,
      reasoning_content: text,
      reasoning_details: listOf(reasoningPart),
      prefix: flag,
      ...extraContent,
    }),
  ],
  ["developer", instruction],
  ["function", result],
  ["system", instruction],
  ["tool", result],
  ["user", members({ ...common, content: said(tagged(spokenParts)) })],
]);
