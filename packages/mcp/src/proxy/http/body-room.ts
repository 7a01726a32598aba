/** Thrown for a body for which there is no room now. */
export class NoRoomError extends Error {
  override readonly name = "NoRoomError";

  constructor() {
    super("The proxy is reading as many bytes of messages as it may at once. Try again later.");
  }
}

/**
 * The room for bodies that are being read: of all clients and of the server together.
 *
 * Clients may take half of it, so that the answers of calls that have run still
 * find some.
 */
export class BodyRoom {
  readonly #most: number;
  #used = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The bytes that are taken. */
  get used(): number {
    return this.#used;
  }

  ofClient(): HeldBytes {
    return this.#held(this.#most / 2);
  }

  ofServer(): HeldBytes {
    return this.#held(this.#most);
  }

  #held(most: number): HeldBytes {
    let own = 0;
    return (bytes) => {
      const used = this.#used - own + bytes;
      if (bytes > own && used > most) throw new NoRoomError();
      this.#used = used;
      own = bytes;
    };
  }
}

/** Says how many bytes of one body are held now; 0 in the end. @throws NoRoomError for more than there is room for. */
export type HeldBytes = (bytes: number) => void;
