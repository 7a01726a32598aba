import { compileSchema } from "@toolstile/schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { largeMail, mail, mailSchema } from "../mail.mjs";

const row = (size, args) => {
  const stock = new Ajv2020({ strict: false }).compile(mailSchema);
  return {
    name: `JSON Schema check, ${size}, against stock Ajv`,
    goal: 0.25,
    reference: { unit: "of Ajv", run: () => stock(args) },
    async setup() {
      const schema = compileSchema(mailSchema);
      if (!stock(args) || schema.check(args) !== undefined) throw new Error("The mail is valid.");
      return () => schema.check(args);
    },
  };
};

export const rows = [row("500 B", mail), row("17 kB", largeMail)];
