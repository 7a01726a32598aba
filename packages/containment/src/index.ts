export { type Containment, containment } from "./containment.js";
export type { Kind } from "./destinations/address.js";
export type { PresetName } from "./judgement/presets.js";
export type { Confidentiality, Integrity, Label } from "./labels/label.js";
export type { DestinationTerms, FieldTerms, Sink, ToolTerms, Voucher } from "./labels/terms.js";
export type { ContainmentOptions } from "./options.js";
export { plugin } from "./plugin.js";
export type { SessionName } from "./session/sessions.js";
