import { redactCommand } from "./redact.js";

/** `toolstile redact`, of the process that runs it. */
export const redact = redactCommand(() => process.stdin);
