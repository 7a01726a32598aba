import { type Step, somethingRead } from "../world.js";

/** A case: the words of the user, the steps before, the call that is judged, and its end. */
export type Case = readonly [
  why: string,
  said: string,
  before: readonly Step[],
  call: Step,
  becomes: Becomes,
];
type Becomes = "free" | "destination" | "link" | "text" | "irreversible" | "no-destination";

export const fetchOf = (url: string): Step => ({ name: "fetch", args: { url } });
export const mailTo = (to: string, body = "Hello."): Step => ({
  name: "send_mail",
  args: { to: [to], body },
});
export const read = [somethingRead];
export const noteRead: Step = { name: "read_note", result: "the code is 4711" };
