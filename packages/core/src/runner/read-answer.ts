import { ToolstileError } from "../errors/error.js";
import { invalidOption, unknownOption } from "../errors/option-error.js";
import type { ToolAnswer } from "../run/run.js";
import { ignoreRejection, isThenable } from "../time/wait.js";

/** @throws ToolstileError `ERR_INVALID_OPTION` for what throws when it is read. */
export function shallowCopy<Given extends object>(where: string, given: Given): Given {
  try {
    return { ...given };
  } catch (cause) {
    throw invalidOption(where, "what it is given must be readable, and reading it threw.", cause);
  }
}

const answers = ["value", "error", "released", "unused", "unknown"];

/** Reads the answer once: a second reading could throw and keep the call from settling. @throws ToolstileError `ERR_INVALID_OPTION`, which leaves the call open. */
export function readAnswer(answer: ToolAnswer): ToolAnswer {
  const given = Object.entries(shallowCopy("close()", answer));
  const unknown = given.find(([key]) => !answers.includes(key));
  if (unknown !== undefined) throw unknownOption("close()", unknown[0], answers, undefined);
  const [key, value] = given[0] ?? [];
  const isMark = key === "released" || key === "unused" || key === "unknown";
  if (key === "value" && isPromise(value)) {
    ignoreRejection(value);
    throw new ToolstileError(
      "ERR_INVALID_OPTION",
      "close(): `value` must be the tool's answer, received a promise. Await it first.",
    );
  }
  if (given.length === 1 && (!isMark || value === true)) {
    return { [key as string]: value } as unknown as ToolAnswer;
  }
  throw new ToolstileError(
    "ERR_INVALID_OPTION",
    "close(): the answer must be one of { value }, { error }, { released: true }, { unused: true } and { unknown: true }.",
  );
}

/** True for a promise. JSON would make `{}` of it, and judges would never see its value. */
function isPromise(value: unknown): boolean {
  try {
    return isThenable(value);
  } catch {
    // A getter threw. The value is then read as an answer, and refused there.
    return false;
  }
}
