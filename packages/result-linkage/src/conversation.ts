/** The messages of a conversation; undefined for a value that is not a list or cannot be read. */
export function messagesIn(conversation: unknown): readonly unknown[] | undefined {
  try {
    return Array.isArray(conversation) ? Array.from(conversation) : undefined;
  } catch {
    return undefined;
  }
}
