import type { ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { Command, LangGraphRunnableConfig } from "@langchain/langgraph";
import { ToolNode, type ToolNodeOptions } from "@langchain/langgraph/prebuilt";
import { type OptionTable, readOptions, such, text, unchecked } from "@toolstile/core/provider";
import type { DescribedCall } from "./facts.js";
import { GraphCalls, type GuardOptions, guardTable, toolList } from "./graph-calls.js";

/** The guards, and what a ToolNode takes. */
export interface GuardedToolNodeOptions extends GuardOptions, ToolNodeOptions {}

const nodeTable = {
  ...guardTable,
  name: text(),
  tags: such<string[]>(isTexts, "a list of strings"),
  handleToolErrors: unchecked<ToolNodeOptions["handleToolErrors"]>(),
} satisfies OptionTable<GuardedToolNodeOptions>;

type State = DescribedCall["state"];

/**
 * LangGraph's ToolNode with guards in front of its tools.
 *
 * A tool that is added to `tools` later is not run, nor one that is put in the
 * place of another.
 */
// biome-ignore lint/suspicious/noExplicitAny: as ToolNode has it, so that one may stand for the other.
export class GuardedToolNode<T = any> extends ToolNode<T> {
  readonly #guarded: GraphCalls;

  /**
   * @throws ToolstileError as ToolRunner does, and `ERR_UNSUPPORTED` for a tool
   * that the provider runs.
   */
  constructor(tools: ToolNode["tools"], options: GuardedToolNodeOptions) {
    const read = readOptions("GuardedToolNode", options, nodeTable);
    const { name, tags, handleToolErrors, ...guarding } = read;
    toolList.read(tools, "GuardedToolNode", "tools");
    const given = Object.entries({ name, tags, handleToolErrors });
    super([...tools], Object.fromEntries(given.filter(([, value]) => value !== undefined)));
    this.#guarded = new GraphCalls(tools, guarding);
  }

  protected override runTool(
    toolCall: ToolCall,
    config: LangGraphRunnableConfig,
    state: unknown,
  ): Promise<ToolMessage | Command> {
    const current = () => this.tools.find(({ name }) => name === toolCall.name);
    return this.#guarded.answer({
      toolCall,
      // Looked up anew each time, as the node itself does when it runs the call.
      get tool() {
        return current() as DescribedCall["tool"];
      },
      state: (Array.isArray(state) ? { messages: state } : state) as State,
      runtime: config as DescribedCall["runtime"],
      metadata: config.metadata,
      dispatch: (args) =>
        super.runTool({ ...toolCall, args: args as ToolCall["args"] }, config, state),
    });
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
