/*
 * Files that survive a crash and follow no link, for packages that keep
 * something on the disk, and packages that are loaded on demand. Needs Node.
 */
export { type TakenLock, takeLock } from "./lock-file.js";
export { optionalPackage } from "./optional-package.js";
export {
  type OpenRegularFileOptions,
  openRegularFile,
  type ReadRegularFileOptions,
  readRegularFile,
} from "./regular-file.js";
export { resolvedPath } from "./resolved-path.js";
export { codeOf, isAbsent } from "./system-error.js";
export {
  createFile,
  createFileSync,
  removeFile,
  replaceFile,
  replaceFileSync,
  syncFolder,
} from "./whole-file.js";
