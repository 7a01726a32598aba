#!/usr/bin/env node
import { exitCodes } from "./command.js";
import { reasonOf } from "./file-error.js";
import { main } from "./main.js";
import { outlet } from "./outlet.js";

// Nobody is left to tell that complaints are not heard.
const err = outlet(process.stderr, () => {});
const out = outlet(process.stdout, (error) => {
  // A reader who has seen enough is no failure.
  if (error.code === "EPIPE") return;
  err.write(`What was asked for cannot be written: ${reasonOf(error)}\n`);
  process.exitCode ||= exitCodes.broken;
});

const code = await main(process.argv.slice(2), {
  out,
  err,
  environment: process.env,
  now: () => performance.now(),
});
process.exitCode ||= code;
