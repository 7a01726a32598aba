/** The outcome of one test of the kit. "not run" is one that the test runner was told to leave out. */
export interface ConformanceResult {
  readonly sentence: string;
  readonly status: "held" | "failed" | "skipped" | "not run";
  /** The first line of what the test said when it failed. */
  readonly problem?: string | undefined;
}

/** A page as data. */
export interface ConformanceReport {
  readonly subject: { readonly name: string; readonly version?: string | undefined };
  readonly kit: { readonly name: string; readonly version: string };
  readonly node: string;
  /** ISO 8601, in UTC. */
  readonly date: string;
  /** True if no test failed and none was left out. Skipped ones are those that a limit takes away. */
  readonly conforms: boolean;
  readonly guards: readonly {
    readonly name: string;
    readonly results: readonly ConformanceResult[];
  }[];
}
