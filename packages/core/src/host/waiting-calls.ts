/** The greatest number of calls that are remembered. A forgotten call is asked about again. */
const most = 10_000;

/** Calls that wait, by their key. When it is full, the oldest is forgotten. */
export class WaitingCalls<Value> extends Map<string, Value> {
  override set(key: string, value: Value): this {
    // A call that is set again becomes the newest, and no other is forgotten for it.
    this.delete(key);
    if (this.size >= most) {
      const [oldest] = this.keys();
      this.delete(oldest as string);
    }
    return super.set(key, value);
  }
}
