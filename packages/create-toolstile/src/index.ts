export { type Creation, type Creator, type Question, runCreator, type World } from "./creator.js";
export { isPackageName, unscoped } from "./package-name.js";
export { type Files, readTemplate, templateFolder, withVersion } from "./template.js";
export { thisProcess } from "./this-process.js";
