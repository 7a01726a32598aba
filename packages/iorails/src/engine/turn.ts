import type { RunOptions } from "@toolstile/core";
import { conversationIn, withConversation } from "@toolstile/core/host";
import type { CallerSignal } from "@toolstile/core/provider";
import { stripReceipts } from "@toolstile/result-linkage";
import { aborted } from "../aborted.js";
import type { ChatMessage, Completion } from "../chat/message.js";
import type { FlowFamily, ToolFamily } from "../config/flows.js";
import type { Flow } from "../config/model.js";
import type { Toggles, ToolToggles } from "../config/toggles.js";
import type { CompletionStream } from "../http/completion-stream.js";
import type { ModelRail, RailPorts, RailSubject, RailVerdict } from "../model-rails/rail.js";
import { type RailsFinding, runRails } from "../model-rails/run-rails.js";
import { withUserText } from "../model-rails/user-text.js";
import { namedResults } from "../telemetry/capture.js";
import type { RailFacts, RailSpan, RequestSpan } from "../telemetry/request-span.js";
import { type DecidedCalls, undecided } from "../tool-rails/call-rail.js";
import { callFlow } from "../tool-rails/call-violation.js";
import { hasResults } from "../tool-rails/exchange.js";
import { type JudgeTool, judged } from "../tool-rails/per-tool-guard.js";
import { resultFlow } from "../tool-rails/result-violation.js";
import type { Toolset } from "../tool-rails/toolset.js";
import type { Violation } from "../violation.js";
import { type LoggedRail, type RequestLog, requestLog } from "./generation-log.js";
import type { Parts } from "./parts.js";
import type { ReadRequest } from "./request.js";
import { whenThere } from "./when-there.js";

/** The violations of a request. A promise only if a rail had to be waited for. */
type Found = readonly Violation[] | Promise<readonly Violation[]>;

/** The verdict of the output rails on a text, and the text that they put in its place. */
interface OutputFinding extends Pick<RailsFinding, "text" | "flow"> {
  readonly violations: readonly Violation[];
}

/**
 * One request on its way: each rail that it passes, in the words of both directions.
 *
 * Longer than 250 lines: all its steps share the conversation as rails have left it so far.
 */
export class Turn {
  readonly toolset: Toolset;
  /** The conversation as rails have left it so far. */
  messages: readonly ChatMessage[];
  /** The flow or provider that last changed anything. */
  modifiedBy: string | undefined;
  /** Absent unless the request asks for it. */
  readonly log: RequestLog | undefined;
  readonly #parts: Parts;
  readonly #request: ReadRequest;
  readonly #toggles: Toggles;
  readonly #span: RequestSpan;
  readonly #signal: CallerSignal | undefined;
  readonly #newRequestId: () => string;
  #requestId: string | undefined;

  constructor(parts: Parts, request: ReadRequest, span: RequestSpan, newRequestId: () => string) {
    this.#parts = parts;
    this.#request = request;
    this.#toggles = parts.toggles(request.options);
    this.#span = span;
    this.#signal = request.signal;
    this.#newRequestId = newRequestId;
    this.toolset = request.toolset;
    this.messages = request.messages;
    const { log } = request.options ?? {};
    if (log !== undefined) this.log = requestLog(log, parts.now);
    // While the model thinks.
    if (this.#toggles.toolCall.flow && this.toolset.tools.size > 0) {
      parts.callRail.prepare();
    }
  }

  /** Made when it is first asked for. */
  get requestId(): string {
    this.#requestId ??= this.#newRequestId();
    return this.#requestId;
  }

  /** 1. The shape of all messages, and the results that the request brings. @param judges false: the shape alone. */
  judgeResults(judges = true): Found {
    return whenThere(
      this.#judgeResults(judges ? this.#toggles.toolResult : nothingOn),
      (violations) => {
        // The receipts have been checked. Neither the model nor a guard needs them.
        this.messages = stripReceipts(this.messages);
        return violations;
      },
    );
  }

  #judgeResults(active: ToolToggles): Found {
    const { flow } = active;
    const isLogged = this.log !== undefined && flow && hasResults(this.messages);
    const logged = isLogged ? this.log?.rail("tool_result", resultFlow) : undefined;
    const judge = (): Found =>
      whenThere(
        this.#parts.resultRail.judge(
          this.messages,
          this.toolset,
          active,
          this.#runOptions,
          this.#askTool("tool_result"),
        ),
        (verdict) => {
          this.messages = verdict.messages;
          this.modifiedBy = verdict.modifiedBy ?? this.modifiedBy;
          decided(logged, resultFlow, verdict.violations);
          return verdict.violations.map((violation) => this.#placed(violation));
        },
      );
    const input = (): unknown => namedResults(this.messages);
    const facts: RailFacts = { type: "Input", name: resultFlow, input };
    return this.#traced(facts, active, judge, (violations) => violations);
  }

  /** The same violation with the index that the caller's list has: messages that are only for the rails count there. */
  #placed(violation: Violation): Violation {
    const { places } = this.#request;
    const { index } = violation;
    return places === undefined || index === undefined
      ? violation
      : { ...violation, index: places[index] };
  }

  /** 2. What the user says. */
  judgeInput(signal = this.#signal): Found {
    const rails = chosen(this.#parts.inputRails, this.#toggles.input);
    return rails.length === 0 ? none : this.#judgeInput(rails, signal);
  }

  async #judgeInput(
    rails: readonly ModelRail[],
    signal: CallerSignal | undefined,
  ): Promise<readonly Violation[]> {
    const subject = { messages: this.messages, signal };
    const finding = await this.#run(rails, subject, "input");
    if (finding.text !== undefined) {
      this.messages = withUserText(this.messages, finding.text);
      this.modifiedBy = finding.flow;
    }
    return this.#violations(finding, "input");
  }

  /** 3. The main model. */
  async ask(signal = this.#signal): Promise<Completion> {
    const logged = this.log?.rail("generation", "generation");
    const completion = await this.#portsFor(logged).ask("main", this.#body(), signal);
    logged?.answered();
    return completion;
  }

  askStream(): CompletionStream {
    const client = this.#parts.models.get("main");
    const body = this.#body();
    return this.#span.chatStream(this.#chatFacts("main", body), () =>
      client.stream(body, { signal: this.#signal, requestId: this.requestId }),
    );
  }

  /** 4. The calls that the model asks for. Until they are released or dropped, what they took is held. */
  async decideCalls({ calls }: Pick<Completion, "calls">, asking = false): Promise<DecidedCalls> {
    if (calls.length === 0) return undecided(none);
    const active = this.#toggles.toolCall;
    const { callRail } = this.#parts;
    const ask = this.#askTool("tool_call");
    const logged = active.flow ? this.log?.rail("tool_call", callFlow) : undefined;
    const run = () => callRail.decide(calls, this.toolset, active, this.#runOptions, ask, asking);
    const facts: RailFacts = { type: "Output", name: callFlow };
    const made = await this.#traced(facts, active, run, ({ violations }) => violations);
    decided(logged, callFlow, made.violations);
    return made;
  }

  /** True if an input rail may put another text in place of the user's. */
  get mayRewriteInput(): boolean {
    const rails = chosen(this.#parts.inputRails, this.#toggles.input);
    return rails.some(({ rewrites }) => rewrites === true);
  }

  get outputRails(): readonly ModelRail[] {
    return chosen(this.#parts.outputRails, this.#toggles.output);
  }

  /** 5. What the model says, or a stretch of it. */
  async judgeOutput(
    text: string,
    rails = this.outputRails,
    thinking?: string,
  ): Promise<OutputFinding> {
    if (rails.length === 0) return { violations: none, text: undefined, flow: undefined };
    const { messages } = this;
    const subject: RailSubject = {
      messages,
      botResponse: text,
      botThinking: thinking,
      evidence: this.#request.evidence,
      signal: this.#signal,
    };
    const finding = await this.#run(rails, subject, "output");
    const { text: written, flow } = finding;
    return { violations: this.#violations(finding, "output"), text: written, flow };
  }

  /** Puts what a rail has changed into a message. */
  replace(index: number, members: Partial<ChatMessage>, by: string | undefined): void {
    this.messages = this.messages.map((message, at) =>
      at === index ? { ...message, ...members } : message,
    );
    this.modifiedBy = by;
  }

  get #runOptions(): RunOptions {
    const { context: facts, agentName, signal } = this.#request;
    const context = withConversation(facts, () => conversationIn(this.messages));
    return { turnId: this.requestId, context, agentName, signal };
  }

  #body(): Readonly<Record<string, unknown>> {
    const { parameters, hasTools } = this.#request;
    // What was read and judged, not what it may have become since.
    const tools = hasTools ? this.toolset.forwarded : undefined;
    return Object.assign({ messages: this.messages, tools }, parameters);
  }

  async #run(
    rails: readonly ModelRail[],
    subject: RailSubject,
    direction: "input" | "output",
  ): Promise<RailsFinding> {
    try {
      return await runRails(rails, subject, this.#portsFor(undefined), {
        parallel: this.#parts.data[direction].parallel,
        direction,
        onRail: async (rail, run) => this.#asked(direction, rail, run),
      });
    } catch (error) {
      throw this.#signal?.aborted === true ? aborted(this.#signal) : error;
    }
  }

  #violations({ verdict, flow }: RailsFinding, kind: "input" | "output"): readonly Violation[] {
    if (verdict.status !== "blocked") return none;
    const violationType = verdict.basis === "error" ? "rail_failed" : "rail_blocked";
    this.#span.blocked(kind === "input" ? "Input" : "Output");
    const { reason, refusal } = verdict;
    return [{ kind, violationType, reason, rail: flow, refusal }];
  }

  /** Judges by the guards of a section, in a span, if there are any but the rails of single tools. */
  #traced<Made>(
    facts: RailFacts,
    { flow, providers }: ToolToggles,
    judge: () => Made | Promise<Made>,
    violationsOf: (made: Made) => readonly Violation[],
  ): Made | Promise<Made> {
    const inSpan = (span?: RailSpan): Made | Promise<Made> =>
      whenThere(judge(), (made) => {
        const [first] = violationsOf(made);
        if (first !== undefined) {
          span?.blocked(first.reason);
          this.#span.blocked(facts.type);
        }
        return made;
      });
    return flow || providers.length > 0 ? this.#span.rail(facts, inSpan) : inSpan();
  }

  /** Asks rails of one tool. */
  #askTool(family: ToolFamily): JudgeTool {
    return (rail, subject) => this.#asked(family, rail, (ports) => judged(rail, subject, ports));
  }

  /** Asks a rail, in a span of its own. */
  #asked(
    family: FlowFamily,
    rail: Pick<ModelRail, "flow" | "name">,
    judge: (ports: RailPorts) => Promise<RailVerdict>,
  ): RailVerdict | Promise<RailVerdict> {
    const type = family === "input" || family === "tool_result" ? "Input" : "Output";
    return this.#span.rail({ type, name: rail.flow }, async (span) => {
      const logged = this.log?.rail(family, rail.flow, rail.name);
      const verdict = await judge(this.#portsFor(logged));
      logged?.judged(verdict);
      if (verdict.status === "blocked") span.blocked(verdict.reason);
      return verdict;
    });
  }

  /** @param logged the rail that asks, if it is noted. */
  #portsFor(logged: LoggedRail | undefined): RailPorts {
    const { models } = this.#parts;
    return {
      ask: (type, body, signal) =>
        this.#span.chat(this.#chatFacts(type, body), async (chat) => {
          const { requestId } = this;
          const client = models.get(type);
          const ask = () => client.complete(body, { signal, requestId });
          const completion = await (logged === undefined ? ask() : logged.asking(client, ask));
          chat.completed(completion);
          return completion;
        }),
      classify: (service, body, signal) =>
        this.#span.service(service, () => models.service(service).post(body, { signal })),
      verdicts: (type) => models.verdicts(type),
    };
  }

  #chatFacts(type: string, body: Readonly<Record<string, unknown>>) {
    const { model, engine } = this.#parts.models.get(type);
    return { model, engine, messages: body["messages"] as ChatMessage[], parameters: body };
  }
}

const nothingOn: ToolToggles = { flow: false, providers: [], perTool: [] };
const none: readonly Violation[] = Object.freeze([]);

/** Notes what the flow of a tool section decided. */
function decided(
  logged: LoggedRail | undefined,
  flow: string,
  violations: readonly Violation[],
): void {
  const own = violations.find(({ rail }) => rail === flow);
  logged?.decided(own === undefined, own?.violationType === "rail_failed");
}

function chosen(rails: readonly ModelRail[], flows: readonly Flow[]): readonly ModelRail[] {
  return rails.filter(({ flow }) => flows.some(({ text }) => text === flow));
}
