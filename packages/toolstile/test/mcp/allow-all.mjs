import { allowAll } from "@toolstile/core";

/** A guard that lets everything through, for tests of what carries the messages. */
export const plugin = {
  name: "allow-all",
  optionsSchema: { type: "object", properties: {} },
  create: () => allowAll(),
};
