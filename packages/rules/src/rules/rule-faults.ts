import { type OptionFault, OptionFaults, quoted, ToolstileError } from "@toolstile/core/provider";

/** A place in the options, a rule's id beside it, and what is wrong there: how errors about rules are worded. */
const wording = /^rules\(\): (rules\[\d+\](?:\.[A-Za-z]+|\[\d+\])*)(?: \([\w.-]+\))?:? (.*)$/s;

/** Gathers what is wrong with rules, so that one error tells of all of them. */
export class RuleFaults {
  readonly #errors: ToolstileError[] = [];
  readonly #faults: OptionFault[] = [];

  /** Returns what `read` does; undefined if it threw an error about a rule. */
  attempt<Read>(id: unknown, read: () => Read): Read | undefined {
    try {
      return read();
    } catch (error) {
      if (!ToolstileError.isInstance(error)) throw error;
      this.add(id, error);
      return undefined;
    }
  }

  add(id: unknown, error: ToolstileError): void {
    this.#errors.push(error);
    this.#faults.push(faultOf(id, error.message));
  }

  /** @throws ToolstileError that tells of all, with an `OptionFaults` as its cause. */
  throwIfAny(): void {
    const [first] = this.#errors;
    if (first === undefined) return;
    const message = this.#errors.map((each) => each.message).join("\n");
    throw new ToolstileError(first.code, message, {
      cause: new OptionFaults(message, this.#faults),
    });
  }
}

function faultOf(id: unknown, message: string): OptionFault {
  const [, place = "", problem = message] = wording.exec(message) ?? [];
  const subject = typeof id === "string" && id !== "" ? `in the rule ${quoted(id)}: ` : "";
  return { path: pathOf(place), text: `${subject}${problem}` };
}

/** The steps of `rules[3].when.any[0]`. */
function pathOf(place: string): readonly (string | number)[] {
  const steps = place.match(/[A-Za-z]+|\d+/g) ?? [];
  return steps.map((step) => (/^\d/.test(step) ? Number(step) : step));
}
