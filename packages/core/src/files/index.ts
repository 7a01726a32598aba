/*
 * Files that survive a crash and follow no link, for packages that keep
 * something on the disk. Needs Node.
 */
export { type TakenLock, takeLock } from "./lock-file.js";
export {
  type OpenRegularFileOptions,
  openRegularFile,
  type ReadRegularFileOptions,
  readRegularFile,
} from "./regular-file.js";
export { codeOf, isAbsent } from "./system-error.js";
export {
  createFile,
  createFileSync,
  removeFile,
  replaceFile,
  replaceFileSync,
  syncFolder,
} from "./whole-file.js";
