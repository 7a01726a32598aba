import { forId, named, withId } from "./finding.js";
import { checkOwnOptions, own, ownText } from "./own-property.js";
import { Reading, type Visitor } from "./reading.js";
import { type CallFacts, checkContext, type ReceiptContext } from "./receipt-facts.js";
import type { PlacedReceiptFinding, ReceiptFinding } from "./receipt-finding.js";
import type { Receipts } from "./receipts.js";
import { strayFault } from "./role.js";
import type { TurnCall } from "./turn.js";

export interface ReceiptCheckOptions {
  /** The host's facts that the receipts were issued with. */
  readonly context?: ReceiptContext | undefined;
}

/**
 * Find every call and result of a conversation whose receipt does not prove that this host gave it out.
 *
 * A receipt stands in the `receipt` member of a `tool_calls` entry and of a
 * `tool` message. Calls and results are matched as `checkLinkage` does. What no
 * receipt can prove (a legacy `function_call`, a call without an id, a result
 * that answers no call) is a finding too, so that nothing unproved is passed
 * over. Whether every call has one result is left to `checkLinkage`.
 *
 * @throws ToolstileError `ERR_UNKNOWN_OPTION` or `ERR_INVALID_OPTION`, for wrong options only.
 */
export function checkReceipts(
  messages: unknown,
  receipts: Pick<Receipts, "verifyCall" | "verifyResult">,
  options: ReceiptCheckOptions = {},
): readonly PlacedReceiptFinding[] {
  checkOwnOptions("checkReceipts", options, ["context"]);
  const context = (own(options, "context") ?? {}) as ReceiptContext;
  checkContext("checkReceipts: context", context);
  if (!Array.isArray(messages)) return [unprovable(-1, "the conversation is not a list")];
  const checking = new Checking(receipts, context);
  const reading = new Reading(false, "objects", checking);
  for (let index = 0; index < messages.length; index++) {
    checking.unread(messages[index], index);
    reading.take(messages[index], index);
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

  /** Calls and results that nobody here reads must not pass for proved. */
  unread(message: unknown, index: number): void {
    const role = own(message, "role");
    const fault = strayFault(message, role);
    if (fault !== undefined) this.findings.push(unprovable(index, fault));
    if (role === "assistant" && !Array.isArray(own(message, "tool_calls") ?? [])) {
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
    } else if ((own(raw, "custom") ?? undefined) !== undefined) {
      this.findings.push(unprovable(index, `the ${title} is no function's`, about));
    } else {
      const args = own(own(raw, "function"), "arguments") as CallFacts["args"];
      const facts = { callId: id, toolName: name, args, context: this.#context };
      const receipt = own(raw, "receipt");
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
      content: own(message, "content") as string,
      callReceipt: (own(call.raw, "receipt") ?? undefined) as string | undefined,
      context: this.#context,
    };
    const receipt = own(message, "receipt");
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

/** An empty name claims nothing; one that is no text claims another. */
function ownClaim(message: unknown): unknown {
  const name = own(message, "name");
  return name === "" ? undefined : name;
}

type Place = Pick<PlacedReceiptFinding, "callIndex" | "callId" | "toolName">;

function unprovable(index: number, reason: string, about: Place = {}): PlacedReceiptFinding {
  return { code: "receipt_unprovable", index, ...about, reason };
}
