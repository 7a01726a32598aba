import type { Fault, RunOptions, ToolRunner } from "@toolstile/core";
import { reportFault, type ToolDeclaration } from "@toolstile/core/host";
import { ownText, quoted, sameJson } from "@toolstile/core/provider";
import { isKnown, mayHoldFindings, withoutFindings } from "./part-kinds.js";
import { findCall } from "./prompt.js";
import { judged, replaced, type Said, stoppedText, withoutMetadata } from "./provider-result.js";
import type { ModelParams, ModelPart } from "./sdk.js";

export interface ModelGuards {
  readonly runner: ToolRunner;
  /** Asked what the guards make of the calls of the application's own tools. */
  readonly rewriter: ToolRunner | undefined;
  readonly onFault: ((fault: Fault) => unknown) | undefined;
}

/** The fault of a part that is not understood. Its class is all that a warning says of it: types may be endlessly many. */
class UnknownPart extends Error {
  constructor(type: string | undefined) {
    // What is no name may be anything.
    const isName = type !== undefined && /^[a-z][\w-]{0,60}$/i.test(type);
    const what = isName ? `the unknown type ${quoted(type)}` : "a type that is not a name";
    super(`A part of ${what} was withheld from a model's answer.`);
    this.name = "UnknownPart";
  }
}

/** One answer of a model, part by part. */
export class ModelTurn {
  readonly #guards: ModelGuards;
  readonly #params: ModelParams;
  readonly #options: RunOptions;
  /** The provider's calls of this answer. */
  readonly #calls = new Map<string, { readonly part: ModelPart; readonly said: Said }>();
  /** Ids that a call had while another was open under them. */
  readonly #repeated = new Set<string>();

  #withheld = false;
  /** Parts that may say what a tool found. */
  readonly #held: ModelPart[] = [];

  constructor(guards: ModelGuards, params: ModelParams, options: RunOptions) {
    this.#guards = guards;
    this.#params = params;
    this.#options = options;
  }

  /** True if a result of the answer was kept back or changed: nothing else of it may say what the tool found. */
  get withheld(): boolean {
    return this.#withheld;
  }

  async all(content: readonly ModelPart[]): Promise<readonly ModelPart[]> {
    const parts: ModelPart[] = [];
    try {
      for (const part of content) {
        const isHeld = isKnown(part) && mayHoldFindings(part);
        for (const each of isHeld ? [part] : await this.part(part)) parts.push(each);
      }
    } finally {
      await this.end();
    }
    if (!this.#withheld) return parts;
    return parts.filter((part) => !mayHoldFindings(part)).map(withoutFindings);
  }

  /** The parts that stand for one part of the answer. */
  async part(part: unknown): Promise<readonly ModelPart[]> {
    if (!isKnown(part)) {
      this.#reportUnknown(part);
      return [];
    }
    switch (part.type) {
      case "tool-call":
        return [
          part.providerExecuted === true ? await this.#decide(part) : await this.#rewrite(part),
        ];
      case "tool-result":
        // A preliminary one cannot be judged by itself; the final one takes its place.
        return part.preliminary === true ? [] : [await this.#found(part)];
      case "tool-approval-request":
        return this.#unlessStopped(part);
      case "finish":
        return [...this.rest(), this.#withheld ? withoutFindings(part) : part];
      default:
        if (!mayHoldFindings(part)) return [this.#withheld ? withoutFindings(part) : part];
        this.#held.push(part);
        return [];
    }
  }

  /**
   * Sources, files and the like, once all results of the answer have been judged.
   *
   * Whose finding they are is not said in them: they pass where no result was kept back or changed.
   */
  rest(): readonly ModelPart[] {
    const held = this.#held.splice(0);
    return this.#withheld ? [] : held;
  }

  /** Calls whose results did not come: those that come later are judged with the answer that they come in. */
  async end(): Promise<void> {
    for (const { said } of this.#calls.values()) {
      if (said.outcome === undefined) await said.close({ released: true });
    }
    this.#calls.clear();
  }

  /** Nobody can tell what such a part says or does, so that it is withheld. */
  #reportUnknown(part: unknown): void {
    const error = new UnknownPart(ownText(part, "type"));
    reportFault(this.#guards.onFault, { source: "guardModel", phase: "answer", error });
  }

  async #decide(part: ModelPart): Promise<ModelPart> {
    const before = this.#calls.get(part.toolCallId as string)?.said;
    const said = await this.#open(this.#guards.runner, part);
    if (before !== undefined && before.outcome === undefined)
      await before.close({ released: true });
    if (before !== undefined) this.#repeated.add(part.toolCallId as string);
    this.#calls.set(part.toolCallId as string, { part, said });
    if (stoppedText(said) === undefined) return part;
    this.#withheld = true;
    return withoutMetadata(part);
  }

  async #rewrite(part: ModelPart): Promise<ModelPart> {
    const { rewriter } = this.#guards;
    if (rewriter === undefined) return part;
    const said = await this.#open(rewriter, part);
    // Denied when it is run: only then can the model be answered.
    if (said.outcome !== undefined) return part;
    const { modifiedBy, call } = said;
    await said.close({ unused: true });
    return modifiedBy.length === 0 ? part : { ...part, input: JSON.stringify(call.args) };
  }

  async #found(part: ModelPart): Promise<ModelPart> {
    const found = await this.#judge(part);
    if (!sameJson(found.result, part.result)) this.#withheld = true;
    return found;
  }

  async #judge(part: ModelPart): Promise<ModelPart> {
    const id = part.toolCallId as string;
    if (this.#repeated.has(id)) {
      // One of them may have been denied, and whose result this is cannot be told.
      return replaced(part, "Tool result withheld: two calls have its id");
    }
    const known = this.#calls.get(id);
    if (known !== undefined) {
      this.#calls.delete(id);
      return judged(part, known.said);
    }
    const call = findCall(this.#params.prompt, id);
    if (call === undefined) return replaced(part, "Tool result withheld: it answers no call");
    return judged(part, await this.#open(this.#guards.runner, call));
  }

  /** A call that is denied is not offered for approval: it is answered instead. */
  #unlessStopped(part: ModelPart): readonly ModelPart[] {
    const known = this.#calls.get(part.toolCallId as string);
    if (known === undefined) return [part];
    const text = stoppedText(known.said);
    if (text === undefined) return [part];
    const { toolCallId, toolName, dynamic } = known.part;
    const answer = { type: "tool-result", toolCallId, toolName, dynamic } as ModelPart;
    return [replaced(answer, text)];
  }

  #open(runner: ToolRunner, part: ModelPart): Promise<Said> {
    const name = part.toolName as string;
    return runner.open(
      { name, arguments: part.input, callId: part.toolCallId },
      { ...this.#options, tools: [this.#declarationOf(name, part)] },
    );
  }

  #declarationOf(name: string, { providerExecuted }: ModelPart): ToolDeclaration {
    // What the provider runs it has declared itself, to the model: its schema is not known here.
    if (providerExecuted === true) return { name };
    const tool = this.#params.tools?.find((each) => each.type === "function" && each.name === name);
    return { name, description: tool?.description, parameters: tool?.inputSchema };
  }
}
