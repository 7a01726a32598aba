/** The calls that the stand-in in this project asks for. Claude decides for itself. */
export const script = [
  { id: "c1", name: "mcp__shop__track_order", args: { order: "A-1" } },
  { id: "c2", name: "mcp__shop__refund", args: { order: "A-1", cents: 1_200 } },
  { id: "c3", name: "mcp__shop__refund", args: { order: "A-2", cents: 990_000 } },
  { id: "c4", name: "mcp__shop__refund", args: { order: "A-3", cents: "all of it" } },
  { id: "c5", name: "mcp__shop__delete_order", args: { order: "A-1" } },
];

/** What the model read of one of its calls. */
export interface Answer {
  readonly callId: string;
  readonly text: string;
}
