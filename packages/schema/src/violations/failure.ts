/** A rule that a value broke. Its parameters are what the schema's author wrote, and names of the value's members. */
export class Failure {
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The rule that a member's name broke, for `propertyNames`. */
  readonly inner: Failure | undefined;
  private keys: string[] | undefined;

  constructor(keyword: string, params: Readonly<Record<string, unknown>> = none, inner?: Failure) {
    this.keyword = keyword;
    this.params = params;
    this.inner = inner;
  }

  /** The same, seen from the value that holds the place under a key. */
  under(key: string): this {
    this.keys ??= [];
    this.keys.push(key);
    return this;
  }

  /** The keys that lead to the place, the outermost first. */
  get path(): readonly string[] {
    return this.keys?.toReversed() ?? [];
  }
}

const none = Object.freeze({});
