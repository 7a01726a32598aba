/** The events of one session, for a client that comes back for what it missed. */
export class MemoryEvents {
  /** @type {{ stream: string, message: any }[]} */
  #events = [];

  async storeEvent(stream, message) {
    return `${this.#events.push({ stream, message })}`;
  }

  async getStreamIdForEventId(id) {
    return this.#events[Number(id) - 1]?.stream;
  }

  async replayEventsAfter(id, { send }) {
    const stream = await this.getStreamIdForEventId(id);
    for (const [index, event] of this.#events.entries()) {
      const isPriming = Object.keys(event.message).length === 0;
      if (index < Number(id) || event.stream !== stream || isPriming) continue;
      await send(`${index + 1}`, event.message);
    }
    return stream;
  }
}
