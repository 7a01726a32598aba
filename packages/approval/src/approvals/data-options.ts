import { type ApprovalsOptions, longestExpiryMs } from "./options.js";

/** The options of `approvals()` that data can say, whatever the store is. */
export type ApprovalsDataOptions = Pick<
  ApprovalsOptions,
  "wait" | "expiresInMs" | "maxPending" | "maxCharacters" | "approvers" | "name"
>;

const count = { type: "integer", minimum: 1 };
export const text = { type: "string", minLength: 1 };
export const keyFile = {
  ...text,
  description: "The path of a file of at least 32 random bytes, which seal the approvals.",
};

/** JSON Schemas of these options. */
export const approvalsSchemas = {
  wait: {
    type: "boolean",
    description: "true: a call waits for its answer. Default false: it is denied, and made again.",
  },
  expiresInMs: {
    ...count,
    maximum: longestExpiryMs,
    description: "How long a question and its grant count. Default 15 minutes.",
  },
  maxPending: count,
  maxCharacters: count,
  approvers: {
    type: "array",
    minItems: 1,
    items: text,
    description: "The names of those who may answer. Default: everybody.",
  },
  name: text,
};
