import { parseArguments } from "@toolstile/core/provider";
import { largeMail, mail } from "../mail.mjs";

const row = (size, args) => {
  const text = JSON.stringify(args);
  return {
    name: `strict parse, ${size}`,
    goal: 2,
    reference: { unit: "P", run: () => JSON.parse(text) },
    async setup() {
      if (!parseArguments(text).ok) throw new Error("The text was refused.");
      return () => parseArguments(text);
    },
  };
};

export const rows = [row("500 B", mail), row("17 kB", largeMail)];
