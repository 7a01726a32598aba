#!/usr/bin/env node
import { main } from "./main.js";

// A reader who has seen enough, as in `toolstile … | head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

process.exitCode = await main(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  environment: process.env,
  now: () => performance.now(),
});
