export { checkLinkage, type LinkageOptions } from "./check-linkage.js";
export { checkReceipts, type ReceiptCheckOptions } from "./check-receipts.js";
export type { ContentRule } from "./content.js";
export type { LinkageCode, LinkageFinding } from "./finding.js";
export { plugin } from "./plugin.js";
export type { CallFacts, ReceiptContext, ResultFacts } from "./receipt-facts.js";
export type { PlacedReceiptFinding, ReceiptCode, ReceiptFinding } from "./receipt-finding.js";
export type {
  Ed25519ReceiptKey,
  HmacReceiptKey,
  ReceiptKey,
  ReceiptKeyPeriod,
} from "./receipt-key.js";
export { type Receipts, type ReceiptsOptions, receipts } from "./receipts.js";
export { type ResultLinkageOptions, resultLinkage } from "./result-linkage.js";
export { stripReceipts } from "./strip-receipts.js";
