import { type OptionTable, ownText, ownValue, readOptions } from "@toolstile/core/provider";
import { messagesIn } from "./conversation.js";
import { forId, named, withId } from "./finding.js";
import { Reading, unreadable, type Visitor } from "./reading.js";
import { type CallFacts, type ReceiptContext, receiptContext } from "./receipt-facts.js";
import type { PlacedReceiptFinding, ReceiptFinding } from "./receipt-finding.js";
import type { Receipts } from "./receipts.js";
import { strayFault } from "./role.js";
import type { TurnCall } from "./same-id.js";

export interface ReceiptCheckOptions {
  /** The host's facts that the receipts were issued with. */
  readonly context?: ReceiptContext | undefined;
}

const checkOptions = {
  context: receiptContext().default({}),
} satisfies OptionTable<ReceiptCheckOptions>;

/**
 * Find every call and result of a conversation whose receipt does not prove that this host gave it out.
 *
 * A receipt stands in the `receipt` member of a `tool_calls` entry and of a
 * `tool` message. Calls and results are matched as `checkLinkage` does. What no
 * receipt can prove (a legacy `function_call`, a call without an id, a result
 * that answers no call) is a finding too, so that nothing unproved is passed
 * over. `checkLinkage` checks that every call has one result.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION`, for wrong options only.
 */
export function checkReceipts(
  messages: unknown,
  receipts: Pick<Receipts, "verifyCall" | "verifyResult">,
  options: ReceiptCheckOptions = {},
): readonly PlacedReceiptFinding[] {
  const { context } = readOptions("checkReceipts()", options, checkOptions);
  const list = messagesIn(messages);
  if (list === undefined) return [unprovable(-1, "the conversation is not a list")];
  const checking = new Checking(receipts, context);
  const reading = new Reading(false, "objects", checking);
  for (const [index, message] of list.entries()) {
    if (!reading.take(message, index)) checking.findings.push(unprovable(index, unreadable));
  }
  return checking.findings;
}

class Checking implements Visitor {
  readonly findings: PlacedReceiptFinding[] = [];
  readonly #seen = new Set<string>();
  readonly #receipts: Pick<Receipts, "verifyCall" | "verifyResult">;
  readonly #context: ReceiptContext;

  constructor(receipts: Pick<Receipts, "verifyCall" | "verifyResult">, context: ReceiptContext) {
    this.#receipts = receipts;
    this.#context = context;
  }

  /** Calls and results that are not read here must not pass for proved. */
  message(message: unknown, index: number): void {
    const role = ownValue(message, "role");
    const fault = strayFault(message, role);
    if (fault !== undefined) this.findings.push(unprovable(index, fault));
    if (role === "assistant" && !Array.isArray(ownValue(message, "tool_calls") ?? [])) {
      this.findings.push(unprovable(index, "tool_calls is not a list of tool calls"));
    }
  }

  call({ callIndex, id, name, raw }: TurnCall, index: number): void {
    const about = { callIndex, callId: id, toolName: name };
    const title = `tool call${named(name)}${withId(id)}`;
    if (callIndex === undefined) {
      this.findings.push(unprovable(index, "a legacy function_call has no receipt", about));
    } else if (id === undefined || name === undefined) {
      const reason = `the ${title} has no ${id === undefined ? "call_id" : "name"} to prove`;
      this.findings.push(unprovable(index, reason, about));
    } else if ((ownValue(raw, "custom") ?? undefined) !== undefined) {
      this.findings.push(unprovable(index, `the ${title} is no function's`, about));
    } else {
      const args = ownValue(ownValue(raw, "function"), "arguments") as CallFacts["args"];
      const facts = { callId: id, toolName: name, args, context: this.#context };
      const receipt = ownValue(raw, "receipt");
      this.#note(this.#receipts.verifyCall(receipt, facts), receipt, title, index, about);
    }
  }

  result(message: unknown, call: TurnCall | undefined, index: number): void {
    const callId = ownText(message, "tool_call_id");
    const about = { callId, toolName: call?.name };
    const title = `tool result${forId(callId)}`;
    if (callId === undefined || call?.name === undefined) {
      this.findings.push(unprovable(index, `the ${title} answers no call that has a name`, about));
      return;
    }
    // The name that the result claims, where it claims one: it is the call's, or nothing is proved.
    const claimed = ownClaim(message) ?? call.name;
    const facts = {
      callId,
      toolName: claimed as string,
      content: ownValue(message, "content") as string,
      callReceipt: (ownValue(call.raw, "receipt") ?? undefined) as string | undefined,
      context: this.#context,
    };
    const receipt = ownValue(message, "receipt");
    this.#note(this.#receipts.verifyResult(receipt, facts), receipt, title, index, about);
  }

  #note(
    fault: ReceiptFinding | undefined,
    receipt: unknown,
    title: string,
    index: number,
    about: Place,
  ): void {
    const finding = fault ?? this.#repeated(receipt as string, title);
    if (finding !== undefined) this.findings.push({ ...finding, index, ...about });
  }

  /** A receipt is good for one place: the same again is a copy. */
  #repeated(receipt: string, title: string): ReceiptFinding | undefined {
    if (!this.#seen.has(receipt)) {
      this.#seen.add(receipt);
      return undefined;
    }
    return { code: "receipt_repeated", reason: `the receipt of the ${title} stands twice` };
  }
}

/** The name that a result claims. An empty one claims nothing; one that is not a string claims another. */
function ownClaim(message: unknown): unknown {
  const name = ownValue(message, "name");
  return name === "" ? undefined : name;
}

type Place = Pick<PlacedReceiptFinding, "callIndex" | "callId" | "toolName">;

function unprovable(index: number, reason: string, about: Place = {}): PlacedReceiptFinding {
  return { code: "receipt_unprovable", index, ...about, reason };
}
