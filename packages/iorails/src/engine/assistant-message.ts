/** The message that the application receives: a chat model's answer, or the refusal in its place. */
export interface AssistantMessage {
  readonly role: "assistant";
  /** `null` beside calls without text. */
  readonly content: string | null;
  readonly tool_calls?: readonly ToolCallMessage[] | undefined;
}

/** One call as it stands in `tool_calls`. */
export interface ToolCallMessage {
  readonly id: string;
  readonly type: string;
  /** Only of a custom tool: its name, and free text in place of arguments. */
  readonly custom?: { readonly name: string; readonly input: string } | undefined;
  /** Absent of a hosted tool, which its type alone names, and of a custom one. */
  readonly function?: { readonly name: string; readonly arguments: string } | undefined;
  /** The proof that this host issued the call; only with `receipts`. */
  readonly receipt?: string | undefined;
}
