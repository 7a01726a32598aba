import { type Confidentiality, higher } from "../labels/label.js";
import { UserText } from "./user-text.js";
import { Vouched } from "./vouched.js";

/** The state of a call that names no session: nobody knows what it has read. */
export const noSession = "a session without an id";

const mostSources = 16;
const mostDestinations = 1_024;
const mostCalls = 16_384;

/** The sources that one session has read, and the words of its user. Its label only falls. */
export class Session {
  readonly said = new UserText();
  /** Values of fields that the host trusts. */
  readonly fields = new Vouched();
  /** Addresses of those who wrote what was read. */
  readonly origins = new Vouched();
  /** The tools that the host expects it to use. */
  plan: ReadonlySet<string> | undefined;
  #fallenBy: string | undefined;
  #hasRead = false;
  #confidentiality: Confidentiality = "public";
  readonly #sources = new Set<string>();
  readonly #calls = new Set<string>();
  readonly #bytes = new Map<string, number>();

  /** @param fallenBy for a session of which nothing is known. */
  constructor(fallenBy?: string) {
    this.#fallenBy = fallenBy;
    // What a forgotten session has read is not known either.
    if (fallenBy !== undefined) this.#confidentiality = "secret";
  }

  /** The first source that is not trusted; undefined while all are. */
  get fallenBy(): string | undefined {
    return this.#fallenBy;
  }

  /** True until it was told of a result. */
  get isNew(): boolean {
    return !this.#hasRead;
  }

  get confidentiality(): Confidentiality {
    return this.#confidentiality;
  }

  fall(source: string): void {
    this.#fallenBy ??= source;
  }

  /** Keeps the id of a call whose result it will be told of. */
  asks(callId: string): void {
    if (this.#calls.size < mostCalls) this.#calls.add(callId);
  }

  /** False for the id of a call that it was not asked about. */
  knows(callId: string): boolean {
    return this.#calls.has(callId);
  }

  readOne(): void {
    this.#hasRead = true;
  }

  reads(confidentiality: Confidentiality, source: string): void {
    this.#confidentiality = higher(this.#confidentiality, confidentiality);
    if (confidentiality !== "public" && this.#sources.size < mostSources) this.#sources.add(source);
  }

  /** True if everything confidential that was read is from this one source. */
  hasReadOnly(source: string): boolean {
    return this.#sources.size < mostSources && [...this.#sources].every((read) => read === source);
  }

  /** The bytes that were sent to a destination. Of one that there is no room for, too many. */
  sentTo(destination: string): number {
    const sent = this.#bytes.get(destination);
    if (sent !== undefined) return sent;
    return this.#bytes.size < mostDestinations ? 0 : Number.POSITIVE_INFINITY;
  }

  send(destination: string, bytes: number): void {
    const sent = this.sentTo(destination) + bytes;
    if (sent !== Number.POSITIVE_INFINITY) this.#bytes.set(destination, Math.max(0, sent));
  }
}
