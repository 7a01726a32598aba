import { ownText, ownValue } from "@toolstile/core/provider";
import { type ContentRule, keepsTo } from "./content.js";
import { type LinkageCode, type LinkageFinding, reasons } from "./finding.js";
import { messageFault } from "./role.js";
import type { TurnCall } from "./same-id.js";
import { isEmpty } from "./shape.js";
import { functionCallOf, Turn } from "./turn.js";

/** Shown every call, and every result with the call that it answers, if it answers one. */
export interface Visitor {
  readonly message: (message: unknown, index: number) => void;
  readonly call: (call: TurnCall, index: number) => void;
  readonly result: (message: unknown, call: TurnCall | undefined, index: number) => void;
}

/** A conversation while it is read, message by message. */
export class Reading {
  readonly #requireNames: boolean;
  readonly #content: ContentRule;
  readonly #visitor: Visitor | undefined;
  readonly #findings: LinkageFinding[] = [];
  #turn: Turn | undefined;

  constructor(requireNames = false, content: ContentRule = "parts", visitor?: Visitor) {
    this.#requireNames = requireNames;
    this.#content = content;
    this.#visitor = visitor;
  }

  /** Reads one message. One that throws is a finding like any other that cannot be read; its visitor is told false. */
  take(message: unknown, index: number): boolean {
    try {
      this.#take(message, index);
      return true;
    } catch {
      this.#find("malformed_message", index, unreadable);
      if (this.#turn !== undefined) this.#turn.interrupted = true;
      return false;
    }
  }

  #take(message: unknown, index: number): void {
    this.#visitor?.message(message, index);
    const role = ownValue(message, "role");
    const fault = messageFault(message, role);
    if (fault !== undefined) this.#find("malformed_message", index, fault);
    if (role === "tool") {
      this.#takeResult(message, index);
      return;
    }
    if (role === "function") {
      this.#takeFunctionResult(message, index);
      return;
    }
    if (this.#turn !== undefined) {
      this.#turn.interrupted = true;
      this.#turn.followed ||= role === "assistant" || role === "user";
    }
    if (role === "assistant") this.#takeCalls(message, index);
  }

  /** All findings, in the order of the messages. */
  end(requireAnswers: boolean): readonly LinkageFinding[] {
    this.#closeTurn(requireAnswers);
    return this.#findings.sort(
      (one, other) =>
        one.index - other.index || (one.callIndex ?? Infinity) - (other.callIndex ?? Infinity),
    );
  }

  #takeCalls(message: unknown, index: number): void {
    const toolCalls = ownValue(message, "tool_calls") ?? [];
    const functionCall = functionCallOf(message);
    const readable = Array.isArray(toolCalls);
    if (readable && toolCalls.length === 0 && functionCall === undefined) return;

    this.#closeTurn(false);
    this.#turn = new Turn(index, readable ? toolCalls : [], functionCall);
    if (!readable) this.#find("malformed_calls", index, "tool_calls is not a list of tool calls");
    for (const call of this.#turn.calls) this.#visitor?.call(call, index);
    // Most messages have one call, which cannot have another's id.
    const seen = this.#turn.calls.length > 1 ? new Set<string>() : undefined;
    for (const { callIndex, id, oddId, name, twoNames } of this.#turn.calls) {
      const about = { callIndex, callId: id, toolName: name };
      if (name === undefined) {
        const reason = twoNames ? "a tool call has two names" : "a tool call has no name";
        this.#find("malformed_calls", index, reason, about);
      }
      if (id === undefined) {
        if (callIndex === undefined) continue;
        if (oddId) this.#find("malformed_call_id", index, reasons.malformedIdOfCall(name), about);
        else this.#find("missing_call_id", index, reasons.missingIdOfCall(name), about);
      } else if (seen?.has(id) === true) {
        this.#find("duplicate_call_id", index, reasons.duplicateCallId(id), about);
      } else {
        seen?.add(id);
      }
    }
  }

  #takeResult(message: unknown, index: number): void {
    const callId = ownText(message, "tool_call_id");
    const claimed = ownValue(message, "name");
    let call: TurnCall | undefined;
    if (callId === undefined) {
      const about = { toolName: nameIn(claimed) };
      if (isEmpty(ownValue(message, "tool_call_id"))) {
        this.#find("missing_call_id", index, reasons.missingCallId, about);
      } else this.#find("malformed_call_id", index, reasons.malformedCallId, about);
    } else {
      call = this.#turn?.answeredBy(callId, claimed);
      this.#link(call, index, callId, nameIn(claimed));
    }
    this.#visitor?.result(message, call, index);
    this.#checkName(claimed, call, index, callId, this.#requireNames);
    this.#checkContent(message, index, callId, call?.name ?? nameIn(claimed));
  }

  #takeFunctionResult(message: unknown, index: number): void {
    const claimed = ownValue(message, "name");
    const call = this.#turn?.functionCall;
    this.#link(call, index, undefined, nameIn(claimed));
    // One that answers nothing stands between calls and results like any other message.
    if (call === undefined && this.#turn !== undefined) this.#turn.interrupted = true;
    this.#visitor?.result(message, call, index);
    // It has no id: without a name, nothing says which call it answers.
    this.#checkName(claimed, call, index, undefined, true);
    this.#checkContent(message, index, undefined, call?.name ?? nameIn(claimed));
  }

  #link(
    call: TurnCall | undefined,
    index: number,
    callId: string | undefined,
    claimed: string | undefined,
  ): void {
    if (call === undefined) {
      const about = { callId, toolName: claimed };
      this.#find("unknown_call_id", index, reasons.unknownCallId(callId), about);
      return;
    }
    const about = { callId, toolName: call.name };
    if (call.answered) {
      this.#find("duplicate_result", index, reasons.duplicateResult(callId), about);
    }
    call.answered = true;
    if (this.#turn?.interrupted === true) {
      this.#find("result_not_adjacent", index, reasons.notAdjacent(callId), about);
    }
  }

  #checkName(
    claimed: unknown,
    call: TurnCall | undefined,
    index: number,
    callId: string | undefined,
    required: boolean,
  ): void {
    const about = { callId, toolName: call?.name ?? nameIn(claimed) };
    if (claimed === undefined || claimed === null || claimed === "") {
      if (!required) return;
      this.#find("missing_name", index, reasons.missingName(callId, call?.name), about);
    } else if (typeof claimed !== "string" && call?.name === undefined) {
      this.#find("malformed_message", index, "the name of a tool result is not text", about);
    } else if (call?.name !== undefined && claimed !== call.name) {
      const reason = reasons.nameMismatch(nameIn(claimed), call.name, callId);
      this.#find("name_mismatch", index, reason, about);
    }
  }

  #checkContent(
    message: unknown,
    index: number,
    callId: string | undefined,
    toolName: string | undefined,
  ): void {
    if (keepsTo(this.#content, ownValue(message, "content"))) return;
    const reason = reasons.malformedContent(callId);
    this.#find("malformed_content", index, reason, { callId, toolName });
  }

  #closeTurn(requireAnswers: boolean): void {
    if (this.#turn === undefined || !(this.#turn.followed || requireAnswers)) return;
    for (const { callIndex, id, name, answered } of this.#turn.calls) {
      // Of a call without an id it is not known whether it was answered; that is a finding already.
      if (answered || (id === undefined && callIndex !== undefined)) continue;
      const about = { callIndex, callId: id, toolName: name };
      this.#find("unanswered_call", this.#turn.index, reasons.unanswered(name, id), about);
    }
  }

  #find(
    code: LinkageCode,
    index: number,
    reason: string,
    about: Pick<LinkageFinding, "callIndex" | "callId" | "toolName"> = {},
  ): void {
    this.#findings.push({ code, index, ...about, reason });
  }
}

export const unreadable = "the message cannot be read";

function nameIn(claimed: unknown): string | undefined {
  return typeof claimed === "string" && claimed !== "" ? claimed : undefined;
}
