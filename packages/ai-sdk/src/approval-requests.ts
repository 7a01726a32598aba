import {
  type Approver,
  type CallRequest,
  type RunOptions,
  type ToolOutcome,
  type ToolRunnerOptions,
  ToolstileError,
} from "@toolstile/core";
import { ApprovalRequests } from "@toolstile/core/host";
import { own } from "@toolstile/core/provider";
import type { SdkTool, SdkTools, ToolCallOptions } from "./sdk.js";

type Resume = (approvalId: string) => Promise<ToolOutcome>;
type Described = RunOptions & { readonly callId: string };

/** The calls of one guarded ToolSet that the SDK asks its user about. */
export class SdkApprovalRequests {
  readonly #requests: ApprovalRequests | undefined;
  readonly #described: (call: ToolCallOptions) => Described;
  readonly #own: ReadonlyMap<string, SdkTool>;

  constructor(
    options: ToolRunnerOptions,
    described: (call: ToolCallOptions) => Described,
    own: ReadonlyMap<string, SdkTool>,
  ) {
    this.#own = own;
    this.#described = described;
    if (options.approver !== undefined) this.#requests = new ApprovalRequests(options);
  }

  /** @throws ToolstileError `ERR_INVALID_OPTION` without an approver. */
  checkApprover(): void {
    if (this.#requests !== undefined) return;
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "Approval requests need an approver in the options of guardTools().",
    );
  }

  needsApproval(name: string, tool: SdkTool) {
    return async (input: unknown, call: ToolCallOptions): Promise<boolean> =>
      (await this.summaryOf(name, input, call)) !== undefined || asksItself(tool, input, call);
  }

  /** True if a tool asks for an approval by itself. A guarded tool is asked as it was before it was guarded. */
  async asksItself(
    name: string,
    set: unknown,
    input: unknown,
    call: ToolCallOptions,
  ): Promise<boolean> {
    const other = own(Object(set) as SdkTools, name);
    return asksItself(this.#own.get(name) ?? other, input, call);
  }

  /** The summary of what a human is to approve; undefined where no approval would help or none is needed. */
  async summaryOf(name: string, input: unknown, call: ToolCallOptions) {
    // A call that the application runs cannot be taken up again here.
    if (this.#own.get(name)?.execute === undefined) return undefined;
    const [request, options] = this.#said(name, input, call);
    return (await this.#requests?.neededFor(request, options))?.summary;
  }

  /** The approver for the guarded calls, if there is one. */
  get approver(): Approver | undefined {
    return this.#requests?.approver;
  }

  /** Takes up a call whose approval was given; nothing, for any other. */
  async resumed(name: string, input: unknown, call: ToolCallOptions, resume: Resume) {
    if (this.#requests === undefined) return undefined;
    return this.#requests.resumed(...this.#said(name, input, call), resume);
  }

  /** The outcome of a call that was run; or of the same call resumed, if it was approved for another process. */
  async lifted(
    outcome: ToolOutcome,
    name: string,
    input: unknown,
    call: ToolCallOptions,
    resume: Resume,
  ) {
    if (this.#requests === undefined) return outcome;
    return this.#requests.lifted(outcome, ...this.#said(name, input, call), resume);
  }

  #said(name: string, input: unknown, call: ToolCallOptions): [CallRequest, RunOptions] {
    const { callId, ...options } = this.#described(call);
    return [{ name, arguments: input, callId }, options];
  }
}

async function asksItself(
  tool: SdkTool | undefined,
  input: unknown,
  call: ToolCallOptions,
): Promise<boolean> {
  const needsApproval: unknown = tool?.needsApproval;
  return typeof needsApproval === "function"
    ? Boolean(await needsApproval.call(tool, input, call))
    : Boolean(needsApproval);
}

const requestsOf = new WeakMap<object, SdkApprovalRequests>();

export function remember<Tools extends object>(tools: Tools, requests: SdkApprovalRequests): Tools {
  requestsOf.set(tools, requests);
  return tools;
}

/** @throws ToolstileError `ERR_INVALID_OPTION` for tools that guardTools() did not make. */
export function requestsFor(tools: object): SdkApprovalRequests {
  const requests = requestsOf.get(tools);
  if (requests !== undefined) return requests;
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    "toolApproval() takes the very tools that guardTools() returned.",
  );
}
