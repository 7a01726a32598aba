import { base64 } from "@toolstile/core/host";
import { ownValue, sameJson } from "@toolstile/core/provider";
import { wordsIn } from "./words.js";

type Block = Readonly<Record<string, unknown>>;
type Call = { readonly id?: string | undefined; readonly name: string; readonly args: unknown };

/** The content of a message by what rails can make of it. */
export interface Content {
  /** The words and the images, which rails are shown and may change. */
  readonly shown: string | readonly Block[];
  /** Blocks of other kinds, as they were. */
  readonly others: readonly unknown[];
  /** The text in those, and the members beside a text. Rails may refuse it, but not change it. */
  readonly beside: readonly string[];
}

const textTypes: readonly unknown[] = ["text", "input_text", "output_text"];
/** The kinds whose type is not judged. Of any other kind, the type is judged as text too. */
const spokenTypes: readonly unknown[] = [
  ...textTypes,
  "citation",
  "function_call",
  "invalid_tool_call",
  "non_standard",
  "reasoning",
  "redacted_thinking",
  "refusal",
  "server_tool_call",
  "server_tool_call_result",
  "text-plain",
  "thinking",
  "tool_call",
  "tool_call_chunk",
  "tool_result",
  "tool_use",
];
/** Kinds whose words are in an encoding, or elsewhere, where no rail can read them. */
const encodedTypes = /audio|document|file|image|media|video/;

/**
 * Take a content apart: only what is understood is shown, and all that can be read is read.
 *
 * @param calls - the calls that the message holds beside its content, which a block may repeat.
 * @throws TypeError for a block whose words no rail can read.
 */
export function readContent(content: unknown, calls: readonly Call[] = []): Content {
  if (typeof content === "string") return { shown: content, others: [], beside: [] };
  if (!Array.isArray(content))
    throw new TypeError("A message's content is neither text nor a list.");
  const shown: Block[] = [];
  const others: unknown[] = [];
  const beside: string[] = [];
  for (const block of content as readonly unknown[]) {
    const text = typeof block === "string" ? block : blockText(block);
    if (text !== undefined) {
      shown.push({ type: "text", text });
      for (const each of typeof block === "string" ? [] : wordsBeside(block as Block))
        beside.push(each);
    } else if (isImage(block)) {
      shown.push(imagePart(block));
    } else {
      others.push(block);
      if (!calls.some((call) => isCall(block, call)))
        for (const each of wordsOfBlock(block)) beside.push(each);
    }
  }
  return { shown, others, beside };
}

/** The words and images of a content, without a look at what else is in it. */
export function shownOf(content: unknown): Content["shown"] {
  if (typeof content === "string") return content;
  return (Array.isArray(content) ? content : []).flatMap((block: unknown) => {
    const text = typeof block === "string" ? block : blockText(block);
    if (text !== undefined) return [{ type: "text", text }];
    return isImage(block) ? [imagePart(block)] : [];
  });
}

/** Makes the content after rails: the text of the rails, the images, and the blocks that the rails were not shown. */
export function restored(changed: unknown, content: unknown): unknown {
  const { others } = readContent(content);
  const blocks = Array.isArray(content) ? (content as readonly unknown[]) : [];
  const images = blocks.filter(isImage);
  if (!Array.isArray(changed)) {
    return others.length === 0 ? changed : [{ type: "text", text: changed }, ...others];
  }
  const known = (part: unknown) => images.find((each) => sameJson(imagePart(each), part)) ?? part;
  return [...changed.map(known), ...others];
}

/** The words of a content. */
export function plainText(content: unknown): string {
  const shown = shownOf(content);
  return typeof shown === "string" ? shown : shown.map(({ text = "" }) => text).join("");
}

/** True of a content without words and images. */
export function saysNothing(content: unknown): boolean {
  const shown = shownOf(content);
  return typeof shown === "string"
    ? shown.trim() === ""
    : shown.every(({ text }) => typeof text === "string" && text.trim() === "");
}

function blockText(block: unknown): string | undefined {
  const text = ownValue(block, "text");
  return textTypes.includes(ownValue(block, "type")) && typeof text === "string" ? text : undefined;
}

function wordsBeside({ type: _, text: __, cache_control, source_type, ...members }: Block) {
  const isHint = sameJson(Object.keys(Object(cache_control)), ["type"]);
  return [
    ...wordsIn(members),
    ...(isHint && ownValue(cache_control, "type") === "ephemeral" ? [] : wordsIn(cache_control)),
    ...(source_type === "text" ? [] : wordsIn(source_type)),
  ];
}

function wordsOfBlock(block: unknown): readonly string[] {
  const { type, ...members } = Object(block) as Block;
  const isPlain = type === "file" && ownValue(members, "source_type") === "text";
  if (typeof type === "string" && encodedTypes.test(type) && !isPlain) {
    throw new TypeError(
      "A message has a block whose words no rail can read: a file, a sound, or an image of a form that is not known.",
    );
  }
  const { data, ...rest } = members;
  if (data instanceof Uint8Array || (type === "text-plain" && data !== undefined)) {
    throw new TypeError("A message has a block of bytes, whose words no rail can read.");
  }
  const kind = spokenTypes.includes(type) || isPlain ? [] : wordsIn(type);
  return [...kind, ...wordsIn(rest), ...wordsIn(data)];
}

/** True of a block by which a provider repeats a call that the message holds. */
function isCall(block: unknown, { id, name, args }: Call): boolean {
  const {
    type,
    id: own,
    call_id,
    name: named,
    args: given,
    input,
    arguments: text,
    ...rest
  } = Object(block) as Block;
  if (!["tool_call", "tool_use", "function_call"].includes(type as string)) return false;
  if (![own, call_id].includes(id) || named !== name || wordsIn(rest).length > 0) return false;
  return [given, input, text].every((each) => each === undefined || sameJson(parsed(each), args));
}

export function parsed(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const imageMembers: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => value === "image" || value === "image_url",
  source_type: (value) => value === "url" || value === "base64",
  image_url: (value) =>
    isImageUrl(value) ||
    (Object.keys(Object(value)).every((key) => key === "url" || key === "detail") &&
      isImageUrl(ownValue(value, "url")) &&
      ["auto", "low", "high", undefined].includes(ownValue(value, "detail") as string)),
  url: isImageUrl,
  data: (value) =>
    value instanceof Uint8Array || (typeof value === "string" && /^[\w+/-]+={0,2}$/.test(value)),
  mime_type: isImageType,
  mimeType: isImageType,
};

/** An image as rails know it, in the form of Chat Completions. */
function imagePart({ image_url, url, data, mime_type, mimeType = mime_type }: Block): Block {
  if (image_url !== undefined) return { type: "image_url", image_url };
  const bytes = data instanceof Uint8Array ? base64(data) : data;
  const encoded = `data:${mimeType ?? "image/png"};base64,${bytes}`;
  return { type: "image_url", image_url: { url: data === undefined ? url : encoded } };
}

/** True of an image and nothing else. What is to be seen on it, a rail that reads text is not told. */
function isImage(block: unknown): block is Block {
  if (!imageMembers["type"]?.(ownValue(block, "type"))) return false;
  const members = Object.entries(block as object);
  const sources = ["image_url", "url", "data"];
  return (
    sources.filter((key) => ownValue(block, key) !== undefined).length === 1 &&
    members.every(([key, value]) => {
      const is = Object.hasOwn(imageMembers, key) ? imageMembers[key] : undefined;
      return value === undefined || is?.(value) === true;
    })
  );
}

function isImageUrl(value: unknown): boolean {
  return typeof value === "string" && /^(?:https?:|data:image\/[\w.+-]+;base64,)\S+$/.test(value);
}

function isImageType(value: unknown): boolean {
  return typeof value === "string" && /^image\/[\w.+-]+$/.test(value);
}
