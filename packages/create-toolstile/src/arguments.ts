import { parseArgs } from "node:util";

/** The options of the command line. */
export interface Given {
  readonly folder: string | undefined;
  readonly name: string | undefined;
  readonly answer: string | undefined;
  readonly yes: boolean;
  readonly json: boolean;
  readonly help: boolean;
}

/** Reads a command line; `answer` is the name of the option that only some programs have. A text says what is wrong. */
export function readArguments(argv: readonly string[], answer: string | undefined): Given | string {
  const flag = { type: "boolean" } as const;
  const text = { type: "string" } as const;
  const options = { name: text, yes: flag, json: flag, help: flag };
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: answer === undefined ? options : { ...options, [answer]: text },
      allowPositionals: true,
    });
    if (positionals.length > 1) return "only one folder can be named.";
    const { [answer ?? ""]: given, ...rest } = values as Record<
      string,
      string | boolean | undefined
    >;
    return {
      folder: positionals[0],
      name: textIn(rest["name"]),
      answer: textIn(given),
      yes: rest["yes"] === true,
      json: rest["json"] === true,
      help: rest["help"] === true,
    };
  } catch (error) {
    return (error as Error).message;
  }
}

function textIn(value: string | boolean | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
