import { anyText, listOf, mappingOf, oneOf, orElse, section, text } from "../shape.js";

/** The settings of `injection detection`. */
export interface InjectionDetectionSection {
  /** `sqli`, `template`, `code`, `xss`, or a name in `yara_rules`. */
  readonly injections: readonly string[];
  readonly action: "reject" | "omit";
  readonly yara_path: string;
  /** The text of each rule. */
  readonly yara_rules: Readonly<Record<string, string>>;
}

export const injectionDetection = section({
  injections: orElse(listOf(text), []),
  action: orElse(oneOf("reject", "omit"), "reject"),
  yara_path: orElse(anyText(), ""),
  yara_rules: orElse(mappingOf(anyText())),
});
