import { checkArchitecture } from "./architecture/check.mjs";
import { root } from "./processes.mjs";

const { problems, warnings } = checkArchitecture(root);
for (const warning of warnings) console.warn(`warning: ${warning}: say why, or split it`);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log("The floors hold.");
