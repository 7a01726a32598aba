/** The client's request because of which the server is asked for its list. It is asked in that request's name. */
export interface Occasion {
  readonly params: unknown;
  readonly extra: unknown;
}

/** The client's request for a page of the list. */
export interface ListOccasion extends Occasion {
  /** The list's revision when the server was asked. */
  readonly revision: number;
  /** True if the client asked for the list from its start. */
  readonly isFirst: boolean;
}
