#!/usr/bin/env node
import { application } from "./application.js";
import { runCreator } from "./creator.js";
import { thisProcess } from "./this-process.js";

process.exitCode = await runCreator(application, process.argv.slice(2), thisProcess);
