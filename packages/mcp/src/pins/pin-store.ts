import type { Awaitable } from "@toolstile/core/provider";

/** A tool's whole definition as its server sent it, and the SHA-256 of its canonical JSON. */
export interface PinnedDefinition {
  readonly digest: string;
  readonly definition: Readonly<Record<string, unknown>>;
  /** When it was approved, or seen last. */
  readonly at: string;
}

/** The approved and the seen definition of one tool of one server. */
export interface Pin {
  readonly server: string;
  readonly tool: string;
  /** Absent if no definition of it is approved. */
  readonly approved?: PinnedDefinition | undefined;
  /** The definition that the server lists in place of the approved one. */
  readonly seen?: PinnedDefinition | undefined;
}

/** A store of pins. */
export interface PinStore {
  /** @throws for what cannot be read: that is not the same as no pins. */
  readonly read: () => Awaitable<readonly Pin[]>;
  /**
   * Read, change and write. Updates run one after the other, over all processes.
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
