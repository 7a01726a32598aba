#!/usr/bin/env node
import { runCreator, thisProcess } from "create-toolstile";
import { provider } from "./provider.js";

process.exitCode = await runCreator(provider, process.argv.slice(2), thisProcess);
