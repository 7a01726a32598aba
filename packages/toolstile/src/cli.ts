#!/usr/bin/env node
import { main } from "./main.js";
import { exitCodes } from "./terminal/command.js";
import { outlet } from "./terminal/outlet.js";

// There is no stream left to report this on.
const err = outlet(process.stderr, () => {});
const out = outlet(process.stdout, (error) => {
  // It is not a failure if the reader has seen enough.
  if (error.code === "EPIPE") return;
  process.exitCode ||= exitCodes.broken;
  void import("./terminal/file-error.js").then(({ reasonOf }) =>
    err.write(`What was asked for cannot be written: ${reasonOf(error)}\n`),
  );
});

const code = await main(process.argv.slice(2), {
  out,
  err,
  environment: process.env,
  now: () => performance.now(),
});
process.exitCode ||= code;
