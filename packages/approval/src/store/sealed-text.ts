import { createHmac, timingSafeEqual } from "node:crypto";
import type { ApprovalQuestion } from "@toolstile/core";
import { canonicalJson, deepFreeze } from "@toolstile/core/provider";
import { expiryOf, isApprovalId } from "../record/approval-id.js";
import { bindingOf, likenessOf } from "../record/binding.js";
import type { ApprovalRecord, ApproverAnswer, AskedApproval } from "../record/record.js";

/** The kind of a text. It is sealed with the text, so that no text is read as one of another kind. */
type Kind = "asked" | "answered" | "closed";

/**
 * Texts of questions and answers that only a holder of the key can write:
 * canonical JSON on one line, its HMAC-SHA-256 in hex on the next.
 *
 * A text with any byte changed, or moved to another approval, reads as nothing.
 */
export class SealedTexts {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  asked({ id, question, askedAt, expiresAt }: AskedApproval): string {
    return this.#sealed("asked", { id, question, askedAt, expiresAt });
  }

  readAsked(id: string, text: string): AskedApproval | undefined {
    const body = this.#opened("asked", text) as AskedBody | undefined;
    return body === undefined ? undefined : askedOf(id, body);
  }

  answered({ id, binding }: AskedApproval, answer: ApproverAnswer): string {
    const { decision, by, reason, at } = answer;
    return this.#sealed("answered", { id, binding, decision, by, reason, at });
  }

  readAnswered({ id, binding }: AskedApproval, text: string): ApproverAnswer | undefined {
    const body = this.#opened("answered", text) as AnsweredBody | undefined;
    if (body === undefined || body.id !== id || body.binding !== binding) return undefined;
    const { decision, by, reason, at } = body;
    return Object.freeze({ decision, by, reason, at });
  }

  /**
   * All that is left of an approval that takes no answer and grants nothing any
   * more: neither its question nor its answer can be had back from it.
   */
  closed({ id, question, askedAt, expiresAt }: AskedApproval, answer: ApproverAnswer): string {
    const { decision, by, reason, at } = answer;
    const answered = { decision, by, reason, at };
    return this.#sealed("closed", { id, question, askedAt, expiresAt, answer: answered });
  }

  readClosed(id: string, text: string): ApprovalRecord | undefined {
    const body = this.#opened("closed", text) as ClosedBody | undefined;
    const asked = body === undefined ? undefined : askedOf(id, body);
    if (body === undefined || asked === undefined) return undefined;
    // What was approved is closed by being used.
    const used = body.answer.decision === "approved";
    return Object.freeze({ ...asked, answer: body.answer, used });
  }

  #sealed(kind: Kind, body: object): string {
    const text = canonicalJson(body);
    return `${text}\n${this.#seal(kind, text)}\n`;
  }

  #opened(kind: Kind, text: string): unknown {
    const [body, seal, rest, ...more] = text.split("\n");
    if (body === undefined || seal === undefined || rest !== "" || more.length > 0)
      return undefined;
    const due = Buffer.from(this.#seal(kind, body));
    const given = Buffer.from(seal);
    if (given.length !== due.length || !timingSafeEqual(given, due)) return undefined;
    return deepFreeze(JSON.parse(body));
  }

  #seal(kind: Kind, body: string): string {
    return createHmac("sha256", this.#key)
      .update(`toolstile/approval ${kind} 1\n${body}`)
      .digest("hex");
  }
}

/** The question that was asked under an id. Undefined if the text belongs to another approval. */
function askedOf(id: string, body: AskedBody): AskedApproval | undefined {
  const { question, askedAt, expiresAt } = body;
  if (body.id !== id || !isApprovalId(id) || expiresAt !== expiryOf(id)) return undefined;
  return Object.freeze({
    id,
    question,
    binding: bindingOf(question),
    likeness: likenessOf(question),
    askedAt,
    expiresAt,
  });
}

interface AskedBody {
  readonly id: string;
  readonly question: ApprovalQuestion;
  readonly askedAt: number;
  readonly expiresAt: number;
}

interface ClosedBody extends AskedBody {
  readonly answer: ApproverAnswer;
}

interface AnsweredBody extends ApproverAnswer {
  readonly id: string;
  readonly binding: string;
}
