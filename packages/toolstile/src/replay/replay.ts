import { type Command, exitCodes } from "../terminal/command.js";
import { readArguments, UsageError } from "../terminal/command-line.js";

/** `toolstile replay`: reports what the guards would have found. */
export const replay: Command = {
  run: async (argv, terminal) => {
    const given = readArguments(argv, {
      config: "string",
      unchecked: "boolean",
      agent: "string",
      json: "boolean",
      audit: "string",
      findings: "string",
      "require-names": "boolean",
    });
    if (given.operands.length === 0) throw new UsageError("Name a file to replay.");
    const stray = ["unchecked", "agent"].find((option) => given.has(option));
    if (stray !== undefined && !given.has("config")) {
      throw new UsageError(`--${stray} goes with --config.`);
    }
    // What follows needs packages that a command line which is wrong does not.
    const { openPolicy, replayFiles } = await import("./replay-files.js");
    const policy = await openPolicy(given, terminal);
    if (policy === "unusable") return exitCodes.usage;
    try {
      return await replayFiles(given, policy, terminal);
    } finally {
      await policy?.file.close();
    }
  },
};
