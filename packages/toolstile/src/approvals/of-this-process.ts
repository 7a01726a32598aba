import { userInfo } from "node:os";
import { approvalsCommand } from "./approvals.js";

/** `toolstile approvals`, of the process that runs it. */
export const approvals = approvalsCommand({
  input: () => process.stdin,
  folder: process.cwd(),
  user: () => userInfo().username,
  clock: { now: () => Date.now(), setTimeout, clearTimeout },
});
