/** As much of a browser's document as the page's script needs: a tree, and who listens. */
export class BareElement {
  readonly name: string;
  readonly attributes = new Map<string, string>();
  readonly dataset: Record<string, string> = Object.create(null);
  readonly clientWidth = 800;
  children: (BareElement | string)[] = [];
  parentElement: BareElement | undefined;
  value = "";
  isOpen = false;
  readonly #listeners = new Map<string, (event: object) => void>();

  constructor(name: string) {
    this.name = name;
  }

  append(...more: (BareElement | string)[]): void {
    for (const each of more) {
      if (each instanceof BareElement) each.parentElement = this;
      else if (typeof each !== "string")
        throw new TypeError("Only elements and text are appended.");
      this.children.push(each);
    }
  }

  replaceChildren(...more: (BareElement | string)[]): void {
    this.children = [];
    this.append(...more);
  }

  setAttribute(key: string, value: unknown): void {
    this.attributes.set(key, String(value));
    if (key.startsWith("data-")) this.dataset[key.slice("data-".length)] = String(value);
  }

  addEventListener(type: string, listener: (event: object) => void): void {
    this.#listeners.set(type, listener);
  }

  dispatch(type: string): void {
    this.#listeners.get(type)?.({ target: this, currentTarget: this, preventDefault() {} });
  }

  get textContent(): string {
    return this.children
      .map((each) => (typeof each === "string" ? each : each.textContent))
      .join("");
  }

  set textContent(text: string) {
    this.children = [text];
  }

  /** It and all that stand in it, in their order. */
  all(): readonly BareElement[] {
    const inside = this.children.filter((each) => each instanceof BareElement);
    return [this, ...inside.flatMap((each) => each.all())];
  }

  named(name: string): readonly BareElement[] {
    return this.all().filter((each) => each.name === name);
  }

  /** Those of a class; the page asks for others only to bring the focus back. */
  querySelectorAll(): readonly BareElement[] {
    return [];
  }

  querySelector(): undefined {
    return undefined;
  }

  scrollIntoView(): void {}

  showModal(): void {
    this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
  }
}

/** What a page's script finds around it, with the elements that have these ids. */
export function bareWindow(texts: Readonly<Record<string, string>>) {
  const byId = new Map<string, BareElement>();
  const body = new BareElement("body");
  const getElementById = (id: string): BareElement => {
    const known = byId.get(id) ?? new BareElement("div");
    if (!byId.has(id)) body.append(known);
    byId.set(id, known);
    return known;
  };
  for (const [id, text] of Object.entries(texts)) getElementById(id).textContent = text;
  const document = {
    title: "",
    activeElement: body,
    createElement: (name: string) => new BareElement(name),
    createElementNS: (_: string, name: string) => new BareElement(name),
    getElementById,
    querySelectorAll: () => [],
    addEventListener: () => undefined,
  };
  class ResizeObserver {
    observe(): void {}
  }
  return { document, ResizeObserver, setTimeout: (run: () => void) => run(), clearTimeout() {} };
}
