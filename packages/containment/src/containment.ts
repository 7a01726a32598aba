import type { Allow, Deny, GuardrailProvider, ToolCall } from "@toolstile/core";
import {
  allow,
  type CallHead,
  type Conversation,
  canonicalJson,
  deny,
  own,
} from "@toolstile/core/provider";
import { denialOf } from "./judgement/finding.js";
import { type Judgement, judge } from "./judgement/judge.js";
import { readResult, readUnseen } from "./judgement/read-result.js";
import { mostConfidential } from "./labels/label.js";
import type { Terms } from "./labels/terms.js";
import { type ContainmentOptions, readContainment } from "./options.js";
import { HeldConversations } from "./session/held-conversations.js";
import { noSession, Session } from "./session/session.js";
import type { SessionName } from "./session/sessions.js";
import { UserText } from "./session/user-text.js";

/** The guard, and what a host tells it beside the calls. */
export interface Containment extends GuardrailProvider {
  /** Tells it what the user said in a session. */
  readonly said: (session: string | SessionName, text: string) => void;
  /** Tells it which tools the session is going to use, before anything untrusted was read. The preset `strict` lets no other run. */
  readonly plan: (session: string | SessionName, tools: readonly string[]) => void;
  /** Forgets a session that is over. Its id may then be used anew. */
  readonly ended: (session: string | SessionName) => void;
}

const earlierResult = "an earlier call";
const nothing: Judgement = { findings: [], destinations: [] };

/**
 * Holds a call whose destination a tool's result may have chosen.
 *
 * Once a session has read a result that others may have written, data goes only where the user said,
 * or where a trusted field says. A held call is a denial that a human can lift. Nothing is recognised
 * in texts: what decides is where a value stands.
 *
 * Without a session id nothing is kept, and every session counts as fallen.
 *
 * @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, with the place and the way out.
 */
export function containment(options: ContainmentOptions = {}): Containment {
  const { name, preset, terms, trusted, sessions, holding, bytesPerDestination, unknownTools } =
    readContainment(options);
  const ofEarlierResults = mostConfidential(terms.labels);
  const counted = new WeakMap<object, { session: Session; bytes: number; to: readonly string[] }>();
  const held = new HeldConversations();
  /** Runs whose result was judged. */
  const judged = new WeakSet<object>();
  /** Runs that a human was, or will be, asked about for their size. */
  const asked = new WeakSet<object>();

  const sessionOf = (call: CallHead): Session => {
    const { context } = call;
    const sessionId = own(context, "sessionId");
    if (sessionId !== undefined) return sessions.of({ sessionId, tenant: own(context, "tenant") });
    const conversation = held.of(call);
    if (conversation === undefined) return new Session(noSession);
    return new Session(conversation.hasResults ? earlierResult : undefined);
  };

  const judgementOf = (call: ToolCall, of: Terms, session: Session): Judgement => {
    const conversation = held.of(call);
    // What was read before a restart, or of tools that the model's provider runs, stands in the conversation only.
    if (conversation !== undefined && hasOthers(conversation, session)) {
      session.fall(earlierResult);
      session.reads(ofEarlierResults, earlierResult);
    }
    session.asks(call.callId);
    const evidence = {
      session,
      said: [session.said, ...(conversation === undefined ? [] : [userTextOf(conversation)])],
      trusted,
      preset,
    };
    if (session.fallenBy !== undefined) return judge(call, of, evidence);
    if (bytesPerDestination === Number.POSITIVE_INFINITY) return nothing;
    return { findings: [], destinations: judge(call, of, evidence).destinations };
  };

  const evaluate = (call: ToolCall): Allow | Deny => {
    const session = sessionOf(call);
    const { findings, destinations } = judgementOf(call, terms.of(call), session);
    const bytes = bytesPerDestination === Number.POSITIVE_INFINITY ? 0 : bytesOf(call);
    const isTooMuch = destinations.some((to) => session.sentTo(to) + bytes > bytesPerDestination);
    if (isTooMuch) asked.add(call.run);
    const all = isTooMuch ? [...findings, { code: "budget" as const }] : findings;
    if (all.length === 0) return allow();
    held.keep(call);
    return denialOf(all, session.fallenBy, holding);
  };

  const admit = (call: ToolCall): Allow | Deny => {
    const session = sessionOf(call);
    const { destinations: to } = judgementOf(call, terms.of(call), session);
    const bytes = bytesOf(call);
    const isTooMuch = to.some((each) => session.sentTo(each) + bytes > bytesPerDestination);
    // Another call may have used the budget up in the meantime.
    if (isTooMuch && !asked.has(call.run)) {
      return deny("held: other calls have used up the budget of its destination", {
        code: "budget",
      });
    }
    for (const each of to) session.send(each, bytes);
    counted.set(call.run, { session, bytes, to });
    return allow();
  };

  return {
    name,
    evaluate,
    evaluateResult: (call, result) => {
      judged.add(call.run);
      readResult(sessionOf(call), terms.of(call), call, result);
      return allow();
    },
    ...(bytesPerDestination !== Number.POSITIVE_INFINITY && { admit }),
    settle: (call, { executed }) => {
      const taken = counted.get(call.run);
      counted.delete(call.run);
      if (executed === false) {
        for (const each of taken?.to ?? []) taken?.session.send(each, -taken.bytes);
      } else if (!judged.has(call.run)) {
        // A reader may have left a stream, and knows its first pieces.
        readUnseen(sessionOf(call), terms.of(call), call);
      }
    },
    // A piece of a stream is read by no model before the whole is.
    judgesPieces: () => false,
    tools: unknownTools === "ignore" ? undefined : Object.freeze([...terms.names]),
    said: (session, text) => sessions.of(named(session)).said.add(text),
    plan: (session, tools) => {
      sessions.of(named(session)).plan = new Set(tools);
    },
    ended: (session) => sessions.end(named(session)),
  };
}

/** True if a result stands in a conversation that the session was not told of. */
function hasOthers({ hasResults, resultIds }: Conversation, session: Session): boolean {
  if (resultIds === undefined) return hasResults && session.isNew;
  return resultIds.some((callId) => !session.knows(callId));
}

function named(session: string | SessionName): SessionName {
  return typeof session === "string" ? { sessionId: session } : session;
}

function bytesOf({ args }: ToolCall): number {
  return Buffer.byteLength(canonicalJson(args));
}

const userTexts = new WeakMap<object, UserText>();

/** One index for all calls of a conversation. */
function userTextOf(conversation: { readonly userTexts: readonly string[] }): UserText {
  const known = userTexts.get(conversation);
  if (known !== undefined) return known;
  const made = new UserText(conversation.userTexts);
  userTexts.set(conversation, made);
  return made;
}
