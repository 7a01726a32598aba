/** The calls that the model in this project asks for. A real one decides for itself. */
export const script = [
  { id: "c1", name: "track_order", args: { order: "A-1" } },
  { id: "c2", name: "refund", args: { order: "A-1", cents: 1_200 } },
  { id: "c3", name: "refund", args: { order: "A-2", cents: 990_000 } },
  { id: "c4", name: "refund", args: { order: "A-3", cents: "all of it" } },
  { id: "c5", name: "delete_order", args: { order: "A-1" } },
];

/** What the model read of one of its calls. */
export interface Answer {
  readonly callId: string;
  readonly text: string;
}
