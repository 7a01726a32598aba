import { ApprovalRequests } from "@toolstile/approval/requests";
import {
  type CallRequest,
  type RunOptions,
  type ToolOutcome,
  type ToolRunnerOptions,
  ToolstileError,
} from "@toolstile/core";
import type { SdkTool, SdkTools, ToolCallOptions } from "./sdk.js";

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

  /** @throws ToolstileError `ERR_INVALID_OPTION` where nobody could answer. */
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

  /** Whether a tool asks for an approval by itself, as it was before it was guarded; or, where it was not, as it is. */
  async asksItself(
    name: string,
    set: unknown,
    input: unknown,
    call: ToolCallOptions,
  ): Promise<boolean> {
    const other = Object.hasOwn(Object(set), name) ? (set as SdkTools)[name] : undefined;
    return asksItself(this.#own.get(name) ?? other, input, call);
  }

  /** What somebody is to approve; nothing, where no approval would help or none is needed. */
  async summaryOf(name: string, input: unknown, call: ToolCallOptions) {
    // A call that the application runs cannot be taken up again here.
    if (this.#own.get(name)?.execute === undefined) return undefined;
    const [request, options] = this.#said(name, input, call);
    return this.#requests?.summaryOf(request, options);
  }

  /** Takes up a call that was told to wait for an approval; nothing, for any other. */
  resumption(
    name: string,
    input: unknown,
    call: ToolCallOptions,
    resume: (approvalId: string) => Promise<ToolOutcome>,
  ): (() => Promise<ToolOutcome>) | undefined {
    if (this.#requests === undefined) return undefined;
    return this.#requests.resumption(...this.#said(name, input, call), resume);
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
