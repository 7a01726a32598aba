import { isHex } from "../text/classes.js";
import { said } from "./before.js";
import { type Detector, isFilledUp, shaped } from "./detector.js";

/** AKIA: of a user; ASIA: for a session. 16 more in base 32 (AWS, "IAM identifiers"). */
const keyId = /A[KS]IA[A-Z2-7]{16}/y;
/** So far behind its id a secret key stands: in the next line, in the next column, as the next argument. */
const besideId = 100;
/** The same of a key of Azure behind a word: in a table, the head stands two lines before. */
const besideName = 100;

/**
 * Keys that have no structure of their own but a length and an alphabet: a word before them says what they are, or the
 * id that belongs to them.
 *
 * Lengths: AWS, "Managing access keys for IAM users" (40 of base64); Microsoft, "Manage storage account access keys" and
 * "Secure access to data in Azure Cosmos DB" (64 bytes), "Service Bus access control with shared access signatures" and
 * "Control access to IoT Hub" (32 bytes); Twilio, "REST API: Auth Token" (32 hexadecimal digits).
 */
export const cloudKeys: readonly Detector[] = [
  shaped({
    kind: "secret.aws_access_key_id",
    anchors: ["AKIA", "ASIA"],
    shape: keyId,
    valid: isKeyId,
  }),
  {
    kind: "secret.aws_secret_access_key",
    anchors: ["AKIA", "ASIA"],
    atAnchor({ text }, at, before) {
      keyId.lastIndex = at;
      if (keyId.test(text) && isKeyId(text.slice(at, keyId.lastIndex)))
        before.note(said.awsSecret, keyId.lastIndex);
      return undefined;
    },
    atRun(source, start, before, end) {
      if (end - start !== 40 || !before.says(said.awsSecret, start, besideId)) return undefined;
      const key = source.text.slice(start, end);
      return isMixed(key) && !key.endsWith("EXAMPLEKEY") ? { start, end } : undefined;
    },
  },
  {
    kind: "secret.azure_storage",
    atRun(source, start, before, end) {
      if (end - start !== 86 && end - start !== 43) return undefined;
      const { units } = source;
      let to = end;
      while (units[to] === 61) to += 1;
      if (to - start !== 88 && to - start !== 44) return undefined;
      if (!before.says(said.azureKey, start, besideName)) return undefined;
      return isMixed(source.text.slice(start, end)) ? { start, end: to } : undefined;
    },
  },
  shaped({
    kind: "secret.twilio",
    anchors: ["SK"],
    shape: /SK[0-9a-f]{32}/y,
  }),
  {
    kind: "secret.twilio",
    anchors: ["AC"],
    next: "0123456789abcdef",
    atAnchor({ units }, at, before) {
      let end = at + 2;
      while (isHex(units[end] as number)) end += 1;
      if (end - at === 34) before.note(said.twilio, end);
      return undefined;
    },
    atRun(source, start, before, end) {
      if (end - start !== 32 || !before.says(said.twilio, start, 64)) return undefined;
      return /^[0-9a-f]+$/.test(source.text.slice(start, end)) ? { start, end } : undefined;
    },
  },
];

function isKeyId(id: string): boolean {
  return !id.endsWith("EXAMPLE") && !isFilledUp(id);
}

/** Base64 with small letters, capitals and others, and not base64url. */
function isMixed(key: string): boolean {
  return /[a-z]/.test(key) && /[A-Z]/.test(key) && /[0-9+/]/.test(key) && !/[-_]/.test(key);
}
