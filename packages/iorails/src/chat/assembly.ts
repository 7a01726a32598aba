import { isJsonObject, ownText } from "@toolstile/core/provider";
import {
  firstChoices,
  type Refusal,
  readText,
  readUsage,
  refusalFor,
  refuseReportedError,
} from "./answer.js";
import { CallAssembly } from "./call-assembly.js";
import { callEntries, readFunctionCall } from "./call-fragment.js";
import { type ReadMessage, readMessage, withoutThinking } from "./completion.js";
import { given } from "./fields.js";
import type { AskedCall, Completion, CompletionEvent, TokenUsage } from "./message.js";
import { plainText } from "./plain-delta.js";
import { TextPieces } from "./text-pieces.js";

/** UTF-16 code units that the text may have, and the reasoning. */
const mostTextChars = 16 * 1024 * 1024;

/**
 * Puts a streamed answer together from its parsed `chat.completion.chunk` objects.
 *
 * No finish chunk is needed, and what comes after one is not lost. Deltas are
 * given on as they come, `<think>` tags among them; only the completion at the
 * end has thinking split off its content.
 */
export class CompletionAssembler {
  readonly #model: string;
  readonly #refuse: Refusal;
  readonly #text = new TextPieces();
  readonly #reasoning = new TextPieces();
  readonly #pieces: CallAssembly;
  /** Calls of a message that came whole. */
  #whole: readonly AskedCall[] = [];
  #begun = false;
  #isRefusal = false;
  #finishReason: string | undefined;
  #usage: TokenUsage | undefined;
  #responseModel: string | undefined;
  #responseId: string | undefined;

  /** `model` is for errors: the name it has in the configuration. */
  constructor(model: string) {
    this.#model = model;
    this.#refuse = refusalFor(model);
    this.#pieces = new CallAssembly(this.#refuse);
  }

  /**
   * The text and reasoning that a chunk adds, behind what `events` holds; never an `end`.
   *
   * @throws ModelError "provider" where the chunk reports an error, "malformed"
   *   where it cannot be read, leaves open which call it continues, or exceeds a limit.
   */
  take(chunk: unknown, events: CompletionEvent[] = []): readonly CompletionEvent[] {
    const plain = plainText(chunk);
    if (plain === undefined) this.#takeAny(chunk, events);
    else {
      this.#begun = true;
      this.#responseModel ??= ownText(chunk, "model");
      this.#responseId ??= ownText(chunk, "id");
      this.#addText(plain, events);
    }
    return events;
  }

  #takeAny(chunk: unknown, events: CompletionEvent[]): void {
    refuseReportedError(chunk, this.#model);
    if (!isJsonObject(chunk)) throw this.#refuse("a chunk is not an object");
    this.#usage = readUsage(chunk) ?? this.#usage;
    this.#responseModel ??= ownText(chunk, "model");
    this.#responseId ??= ownText(chunk, "id");
    for (const choice of firstChoices(chunk, this.#refuse)) {
      this.#begun = true;
      this.#finishReason = ownText(choice, "finish_reason") ?? this.#finishReason;
      const delta = this.#part(choice, "delta");
      if (delta !== undefined) this.#takeDelta(delta, events);
      const message = this.#part(choice, "message");
      if (message !== undefined) this.#takeMessage(message, events);
    }
  }

  /**
   * The whole answer.
   *
   * @throws ModelError "malformed" where there was none.
   */
  end(): Completion {
    if (!this.#begun) throw this.#refuse("it ended before it began");
    return {
      ...withoutThinking(this.#text.text(), this.#reasoning.text()),
      ...(this.#isRefusal && { isRefusal: true }),
      calls: this.#calls(),
      finishReason: this.#finishReason,
      usage: this.#usage,
      responseModel: this.#responseModel,
      responseId: this.#responseId,
    };
  }

  #part(choice: object, key: string): object | undefined {
    const part = given(choice, key);
    if (part === undefined || isJsonObject(part)) return part;
    throw this.#refuse(`the ${key} of a chunk is not an object`);
  }

  #takeDelta(delta: object, events: CompletionEvent[]): void {
    const entries = callEntries(delta, this.#refuse);
    const legacy = readFunctionCall(delta, this.#refuse);
    if (this.#whole.length > 0 && (entries.length > 0 || legacy !== undefined)) {
      throw this.#refuse("tool calls follow a whole message that had some");
    }
    this.#pieces.takePieces(entries, legacy);
    const { text, reasoning, isRefusal } = readText(delta, this.#refuse);
    this.#isRefusal ||= isRefusal;
    this.#addReasoning(reasoning, events);
    this.#addText(text, events);
  }

  /** Some servers send a whole message in place of deltas; some send it after them, where it may only say the same again. */
  #takeMessage(message: object, events: CompletionEvent[]): void {
    const read = readMessage(message, this.#refuse);
    this.#isRefusal ||= read.isRefusal;
    if (this.#reasoning.length === 0) this.#addReasoning(read.reasoning, events);
    if (this.#text.length === 0) this.#addText(read.text, events);
    else if (read.text !== "" && read.text !== this.#text.text()) this.#refuseContradiction();
    this.#takeWholeCalls(read);
  }

  #takeWholeCalls({ calls }: ReadMessage): void {
    if (calls.length === 0) return;
    const known = this.#calls();
    if (known.length === 0) this.#whole = calls;
    else if (!areSame(known, calls)) this.#refuseContradiction();
  }

  #refuseContradiction(): never {
    throw this.#refuse("a whole message says otherwise than the chunks before it");
  }

  #calls(): readonly AskedCall[] {
    return this.#whole.length > 0 ? this.#whole : this.#pieces.calls();
  }

  #addText(text: string, events: CompletionEvent[]): void {
    if (text === "") return;
    this.#add(this.#text, text);
    events.push({ type: "text", text });
  }

  #addReasoning(text: string, events: CompletionEvent[]): void {
    if (text === "") return;
    this.#add(this.#reasoning, text);
    events.push({ type: "reasoning", text });
  }

  #add(pieces: TextPieces, text: string): void {
    if (pieces.length + text.length > mostTextChars) throw this.#refuse("it is too long");
    pieces.add(text);
  }
}

/** Arguments that are not text count as the same only if they are the same object: refusing too often is safe. */
function areSame(calls: readonly AskedCall[], others: readonly AskedCall[]): boolean {
  return (
    calls.length === others.length &&
    calls.every((call, at) => {
      const other = others[at];
      return (
        call.id === other?.id &&
        call.type === other?.type &&
        call.name === other?.name &&
        call.arguments === other?.arguments
      );
    })
  );
}
