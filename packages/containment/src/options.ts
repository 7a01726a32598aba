import {
  list,
  nonEmptyText,
  type OptionTable,
  oneOf,
  positive,
  readOptions,
  unchecked,
  whole,
} from "@toolstile/core/provider";
import { type Preset, type PresetName, presetNames, presets } from "./judgement/presets.js";
import { TrustedDestinations } from "./judgement/trusted.js";
import { DeclaredTerms, type ToolTerms } from "./labels/terms.js";
import { Sessions } from "./session/sessions.js";

export interface ContainmentOptions {
  /** Default "balanced". */
  readonly preset?: PresetName | undefined;
  /** The host's declarations about its tools: labels of results, sinks, destinations. */
  readonly tools?: readonly ToolTerms[] | undefined;
  /** Hosts and mail addresses that every session may send to, such as the tenant's own: "example.com", "*.example.com", "ann@example.com". */
  readonly trusted?: readonly string[] | undefined;
  /** "ask", the default: a human may let a held call run. "deny": nobody may. */
  readonly hold?: "ask" | "deny" | undefined;
  /** With `hold: "ask"`: milliseconds that the question is open. */
  readonly expiresInMs?: number | undefined;
  /** The most bytes of arguments that one session sends to one destination, with or without untrusted results. Default: any number. */
  readonly bytesPerDestination?: number | undefined;
  /** The number of sessions that are remembered. One that was forgotten counts as fallen. Default 10,000. */
  readonly maxSessions?: number | undefined;
  /** "error", the default: a name in `tools` that no tool has is an error at load. "ignore": the tool may come later. */
  readonly unknownTools?: "error" | "ignore" | undefined;
  /** Default "containment". */
  readonly name?: string | undefined;
}

const table = {
  preset: oneOf(...presetNames).default("balanced"),
  tools: list(unchecked<ToolTerms>(), "a list of { tools, … }"),
  trusted: list(nonEmptyText(), "a list of hosts and mail addresses"),
  hold: oneOf("ask", "deny").default("ask"),
  expiresInMs: positive("a positive number of milliseconds"),
  bytesPerDestination: whole(1),
  maxSessions: whole(1, 16_000_000).default(10_000),
  unknownTools: oneOf("error", "ignore").default("error"),
  name: nonEmptyText().default("containment"),
} satisfies OptionTable<ContainmentOptions>;

/** The options after they were read. */
export interface ReadContainment {
  readonly name: string;
  readonly preset: Preset;
  readonly terms: DeclaredTerms;
  readonly trusted: TrustedDestinations;
  readonly sessions: Sessions;
  readonly holding: { readonly hold: "ask" | "deny"; readonly expiresInMs: number | undefined };
  readonly bytesPerDestination: number;
  readonly unknownTools: "error" | "ignore";
}

const where = "containment()";

/** @throws ToolstileError `ERR_INVALID_OPTION` or `ERR_UNKNOWN_OPTION`, with the place and the way out. */
export function readContainment(options: unknown): ReadContainment {
  const read = readOptions(where, options, table);
  return {
    name: read.name,
    preset: presets[read.preset],
    terms: new DeclaredTerms(where, read.tools ?? []),
    trusted: new TrustedDestinations(where, read.trusted ?? []),
    sessions: new Sessions(read.maxSessions),
    holding: { hold: read.hold, expiresInMs: read.expiresInMs },
    bytesPerDestination: read.bytesPerDestination ?? Number.POSITIVE_INFINITY,
    unknownTools: read.unknownTools,
  };
}
