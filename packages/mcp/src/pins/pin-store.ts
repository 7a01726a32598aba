import type { Awaitable } from "@toolstile/core";

/** A tool's whole definition as its server sent it, and the SHA-256 of its canonical JSON. */
export interface PinnedDefinition {
  readonly digest: string;
  readonly definition: Readonly<Record<string, unknown>>;
  /** When it was approved, or seen last. */
  readonly at: string;
}

/** What is known of one tool of one server. */
export interface Pin {
  readonly server: string;
  readonly tool: string;
  /** Absent: nobody has approved any definition of it. */
  readonly approved?: PinnedDefinition | undefined;
  /** What the server lists in place of the approved definition. */
  readonly seen?: PinnedDefinition | undefined;
}

/** Where pins are kept. */
export interface PinStore {
  /** @throws for what cannot be read: that is not the same as no pins. */
  readonly read: () => Awaitable<readonly Pin[]>;
  /**
   * Read, change and write, one after the other, whoever does it in whichever process.
   *
   * The change may be made again, and so has no effects.
   */
  readonly update: (change: (pins: readonly Pin[]) => readonly Pin[]) => Awaitable<readonly Pin[]>;
}

/** Pins that are gone with the process: whatever a server lists after a restart is first sight again. */
export function memoryPins(): PinStore {
  let pins: readonly Pin[] = [];
  return {
    read: () => pins,
    update: (change) => {
      pins = change(pins);
      return pins;
    },
  };
}
