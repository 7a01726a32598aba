export type Confidentiality = "public" | "tenant" | "secret";
/** The confidentiality of what was read, from the lowest. */
export const confidentialities: readonly Confidentiality[] = ["public", "tenant", "secret"];
export type Integrity = "trusted" | "untrusted";
export const integrities: readonly Integrity[] = ["trusted", "untrusted"];

/** Says of a result who may have written it, who may read it, and where it is from. */
export interface Label {
  /** "untrusted", the default: somebody else than the user and the host may have written in it. */
  readonly integrity?: Integrity | undefined;
  /** "public": everybody may read it. "tenant", the default: the user's own. "secret": only a destination that the user named may get it. */
  readonly confidentiality?: Confidentiality | undefined;
  /** The system that it is from, for reasons and for answers to their own source. Default: the tool's name. */
  readonly source?: string | undefined;
}

/** The more confidential of two. */
export function higher(one: Confidentiality, other: Confidentiality): Confidentiality {
  return confidentialities.indexOf(one) >= confidentialities.indexOf(other) ? one : other;
}

/** The confidentiality of a result that may have any of some labels. */
export function mostConfidential(labels: readonly Label[]): Confidentiality {
  return labels.map(({ confidentiality = "tenant" }) => confidentiality).reduce(higher, "tenant");
}
