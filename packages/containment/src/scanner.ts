export {
  type InjectionScannerOptions,
  injectionScanner,
  plugin,
} from "./scanner/injection-scanner.js";
export { showInvisible } from "./scanner/plain-text.js";
export {
  type InjectionScore,
  scanText,
  scanTool,
  suspicious,
  type ToolScore,
} from "./scanner/scan.js";
export type { Signal } from "./scanner/signals.js";
