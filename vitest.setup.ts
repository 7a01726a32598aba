import { configureGlobal } from "fast-check";

// A property that fails may look for a smaller example for hours. It is told as failed before.
configureGlobal({ interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true });
