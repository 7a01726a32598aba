import { generateKeyPairSync, randomBytes } from "node:crypto";
import { ToolstileError } from "@toolstile/core";
import { fakeClock } from "@toolstile/testing";
import { type CallFacts, type ReceiptKey, type ResultFacts, receipts } from "../src/index.js";

export const secret = "a secret of 32 bytes at the least";
export const today = Date.UTC(2026, 0, 15);
export const pair = generateKeyPairSync("ed25519");
export const hmacKey: ReceiptKey = {
  id: "h1",
  algorithm: "hmac-sha256",
  secret: randomBytes(32),
};
export const pairKey: ReceiptKey = { id: "e1", algorithm: "ed25519", privateKey: pair.privateKey };

export const algorithms: [string, ReceiptKey][] = [
  ["hmac-sha256", hmacKey],
  ["ed25519", pairKey],
];

export const make = (...keys: ReceiptKey[]) => receipts({ keys, clock: fakeClock(today) });

export const callFacts: CallFacts = {
  callId: "call_1",
  toolName: "pay",
  args: { to: "secret account", amount: 7 },
  context: { sessionId: "secret session", tenant: "t", principal: "p" },
};
export const resultFacts: ResultFacts = {
  callId: "call_1",
  toolName: "pay",
  content: "secret content",
  callReceipt: "the call's",
  context: { sessionId: "secret session", tenant: "t", principal: "p" },
};

/** The error that this throws, which is one of ours. */
export function thrown(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    if (ToolstileError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
