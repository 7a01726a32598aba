import { allowAll, type ContentPart, ToolRunner, tool, toolResult } from "@toolstile/core";
import { describe, expect, it } from "vitest";
import { type Recognizer, redact } from "../src/index.js";
import { Draw, item } from "./items.js";

const token = item("secret.github_token", 1);
const mail = item("personal.email", 1);
const mark = "[redacted secret.github_token]";

async function redactedPart(part: ContentPart, recognizers: readonly Recognizer[] = []) {
  const image = tool({ name: "image", execute: () => toolResult({ content: [part] }) });
  const guardrails = [allowAll(), redact({ recognizers })];
  const { result } = await new ToolRunner({ tools: [image], guardrails }).run({ name: "image" });
  return (result.content as readonly ContentPart[])[0];
}

const bytes = new Draw(1).text(4_000);
/** Text in base64, in which an item would be found anywhere else. */
const metadata = Buffer.from(`Author: ${mail}`).toString("base64");

describe("a part of an image or of sound", () => {
  it.each<[string, ContentPart, ContentPart]>([
    [
      "an address of an object",
      { type: "image_url", image_url: { url: `https://git.brawyn.de/a.png?t=${token}` } },
      { type: "image_url", image_url: { url: `https://git.brawyn.de/a.png?t=${mark}` } },
    ],
    [
      "an address",
      { type: "image", image: `https://x.acme.io/a.png?token=${token}` },
      { type: "image", image: `https://x.acme.io/a.png?token=${mark}` },
    ],
    [
      "an address with a password",
      { type: "input_image", image_url: item("secret.basic_auth_url", 3), detail: "auto" },
      { type: "input_image", image_url: "[redacted secret.basic_auth_url]", detail: "auto" },
    ],
    [
      "data that is no base64",
      { type: "image", data: `not bytes at all: ${token}`, mimeType: "image/png" },
      { type: "image", data: `not bytes at all: ${mark}`, mimeType: "image/png" },
    ],
    ["data that is a token", { type: "audio", data: token }, { type: "audio", data: mark }],
    [
      "a picture in words",
      { type: "image", image: `data:image/svg+xml,<svg><text>${mail}</text></svg>` },
      {
        type: "image",
        image: "data:image/svg+xml,<svg><text>[redacted personal.email]</text></svg>",
      },
    ],
    [
      "what stands beside bytes",
      { type: "input_audio", input_audio: { data: bytes, [mail]: 1, transcript: [mail] } },
      {
        type: "input_audio",
        input_audio: {
          data: bytes,
          "[redacted personal.email]": 1,
          transcript: ["[redacted personal.email]"],
        },
      },
    ],
  ])("is looked into: %s", async (_, part, expected) => {
    expect(await redactedPart(part)).toEqual(expected);
  });

  it.each<[string, ContentPart]>([
    ["MCP's", { type: "image", data: metadata, mimeType: "image/png" }],
    ["in lines", { type: "image", data: bytes.replace(/.{76}/g, "$&\r\n") }],
    ["OpenAI's", { type: "image_url", image_url: { url: `data:image/png;base64,${metadata}` } }],
    ["of a response", { type: "input_image", image_url: `data:image/png;base64,${metadata}` }],
    ["Anthropic's", { type: "image", source: { type: "base64", data: metadata } }],
    ["sound", { type: "input_audio", input_audio: { data: metadata, format: "wav" } }],
  ])("keeps its bytes, which no recogniser sees: %s", async (_, part) => {
    const seen: string[] = [];
    const find = (text: string) => {
      seen.push(text);
      return [];
    };
    const recognizer: Recognizer = {
      name: "asked",
      kinds: ["personal.person"],
      find: async (text) => find(text),
    };
    expect(await redactedPart(part, [recognizer])).toEqual(part);
    for (const text of seen) {
      expect(text).not.toContain(metadata);
      expect(text).not.toContain(bytes.slice(0, 60));
    }
  });
});
