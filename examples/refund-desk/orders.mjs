/** The shop's orders. Money is in cents. */
export const orders = new Map([
  ["A-1", { customer: "ann", item: "a lamp", cents: 4_900 }],
  ["A-2", { customer: "ann", item: "a desk", cents: 39_000 }],
  ["A-3", { customer: "ann", item: "a sofa", cents: 89_000 }],
  ["A-4", { customer: "ann", item: "a shelf", cents: 20_000 }],
  ["B-1", { customer: "ben", item: "a chair", cents: 12_000 }],
  ["B-2", { customer: "ben", item: "a clock, card: 4242 4242 4242 4242", cents: 3_000 }],
]);
