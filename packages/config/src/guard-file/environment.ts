import { quoted } from "@toolstile/core/provider";
import type { Path } from "../yaml/path.js";
import type { Faults } from "./faults.js";

export type Environment = Readonly<Record<string, string | undefined>>;

const whole = /^\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/;

/**
 * Options with the values of the environment variables that they name.
 *
 * `${env:NAME}` stands for a whole text and for nothing else: a variable can
 * neither add a key nor be a part of a text. One that is not set is a fault.
 */
export function withEnvironment(
  value: unknown,
  environment: Environment,
  path: Path,
  faults: Faults,
): unknown {
  const fill = (current: unknown, at: Path): unknown => {
    if (typeof current === "string") return fillText(current, at);
    if (Array.isArray(current)) return current.map((item, index) => fill(item, [...at, index]));
    if (typeof current !== "object" || current === null) return current;
    const filled: Record<string, unknown> = Object.create(null);
    for (const [key, member] of Object.entries(current)) filled[key] = fill(member, [...at, key]);
    return filled;
  };
  const fillText = (text: string, at: Path): string => {
    if (!text.includes("${env:")) return text;
    const [, name] = whole.exec(text) ?? [];
    if (name === undefined) {
      faults.add(at, `'\${env:NAME}' stands for a whole text, and this is more or less than that`);
      return text;
    }
    const found = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (found === undefined) faults.add(at, `the environment variable ${quoted(name)} is not set`);
    return found ?? "";
  };
  return fill(value, path);
}
