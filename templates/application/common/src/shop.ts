/** What has been done to the shop. In place of its database. */
export const done: string[] = [];

export function trackOrder({ order }: { order: string }): string {
  return `${order} is on its way.`;
}

export function refund({ order, cents }: { order: string; cents: number }): string {
  done.push(`refund ${order} ${cents}`);
  return `Refunded ${cents} cents of ${order}.`;
}

export function deleteOrder({ order }: { order: string }): string {
  done.push(`delete ${order}`);
  return `Deleted ${order}.`;
}
