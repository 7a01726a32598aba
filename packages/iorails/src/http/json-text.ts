/** A value that does not change, to stand in the bodies of many requests: its JSON text is written once. */
export class JsonText {
  readonly #value: unknown;
  #text: string | undefined;

  constructor(value: unknown) {
    this.#value = value;
  }

  get text(): string {
    this.#text ??= JSON.stringify(this.#value);
    return this.#text;
  }
}
