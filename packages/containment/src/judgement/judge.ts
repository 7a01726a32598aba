import type { ToolCall } from "@toolstile/core";
import { type Address, type Kind, readUrl } from "../destinations/address.js";
import { isNameOfHost } from "../destinations/host-names.js";
import { type Literal, literalsIn, literalsWithin, newScan } from "../destinations/literals.js";
import { valuesBelow } from "../labels/pointer.js";
import type { Destination, Terms, Voucher } from "../labels/terms.js";
import type { Session } from "../session/session.js";
import type { UserText } from "../session/user-text.js";
import { canonicalOf } from "../session/vouched.js";
import type { Finding } from "./finding.js";
import type { Preset } from "./presets.js";
import { textsIn } from "./texts-in.js";
import type { TrustedDestinations } from "./trusted.js";

/** The facts by which a call is judged. */
export interface Evidence {
  readonly session: Session;
  /** Both what the guard was told that the user said, and what stands in the conversation. */
  readonly said: readonly UserText[];
  readonly trusted: TrustedDestinations;
  readonly preset: Preset;
}

const mostDestinations = 1_024;
const mostFindings = 16;

export interface Judgement {
  readonly findings: readonly Finding[];
  /** The destinations that bytes are counted for. */
  readonly destinations: readonly string[];
}

/** Judges where a call goes, after an untrusted result was read. */
export function judge(call: ToolCall, terms: Terms, evidence: Evidence): Judgement {
  const { preset, session } = evidence;
  const findings: Finding[] = [];
  const destinations = new Set<string>();
  if (preset.needsPlan && session.plan?.has(call.toolName) !== true)
    findings.push({ code: "plan" });
  const declared = new Set<string>();
  let userNamed = 0;
  let present = 0;
  for (const destination of terms.destinations) {
    const { kind, at } = destination;
    const { values, isCut } = valuesBelow(call.args, destination.pointer, mostDestinations);
    const given = values.filter((value) => value !== "" && value !== false);
    present += given.length;
    if (kind === "text" && !preset.judgesTexts) continue;
    const code = kind === "text" ? "text" : "destination";
    if (isCut) findings.push({ code, kind, at, isCut });
    for (const value of given) {
      const text = String(value);
      // A link in a text is one, even if a name that a field vouches for has it.
      if (kind !== "text") declared.add(text);
      const { key, address, by, isAmbiguous } = vouchedBy(text, destination, evidence);
      if (key !== undefined) destinations.add(receiverOf(kind, key, address));
      if (by === "user") userNamed += 1;
      if (by === undefined && findings.length < mostFindings)
        findings.push({ code, kind, at, isAmbiguous });
    }
  }
  const isSink = terms.sinks.size > 0;
  if (isSink || !terms.isDeclared) {
    for (const literal of literalsOf(call, terms, declared, preset)) {
      destinations.add(receiverOf(literal.kind, literal.value ?? "", literal.address));
      const isAmbiguous = literal.value === undefined;
      if (findings.length >= mostFindings || (!isAmbiguous && isVouched(literal, evidence)))
        continue;
      const { kind, isWhole } = literal;
      findings.push({ code: isWhole ? "destination" : "link", kind, isAmbiguous });
    }
  }
  if (
    preset.holdsIrreversible &&
    terms.sinks.has("irreversible") &&
    (present === 0 || userNamed < present)
  ) {
    findings.push({ code: "irreversible" });
  }
  if (terms.isDeclared && terms.sinks.has("egress") && present === 0 && destinations.size === 0)
    findings.push({ code: "no-destination" });
  return { findings, destinations: [...destinations] };
}

/** Whose bytes are counted: of all URLs of a host together. */
function receiverOf(kind: Kind, key: string, address: Address | undefined): string {
  return `${kind === "url" ? "host" : kind}:${address?.host ?? key}`;
}

/** The destinations that stand in the arguments where none was declared. */
function* literalsOf(
  { args }: ToolCall,
  { links, isDeclared }: Terms,
  declared: ReadonlySet<string>,
  { judgesTexts }: Preset,
): Iterable<Literal> {
  const scan = newScan();
  for (const { value, name } of textsIn(args)) {
    if (scan.isOver) return;
    const text = String(value);
    if (declared.has(text)) continue;
    // A number is a host only where its name says so.
    if (typeof value === "number" && !isNameOfHost(name)) continue;
    for (const literal of literalsIn(text, scan, name)) {
      const isJudged = literal.kind === "url" ? links : !isDeclared;
      if (literal.isWhole || (judgesTexts && isJudged)) yield literal;
    }
  }
}

function isVouched(
  { kind, value, address }: Literal,
  evidence: Evidence,
  by: ReadonlySet<Voucher> = anyVoucher,
): boolean {
  return (
    value !== undefined && voucherOf(kind, undefined, value, address, by, evidence) !== undefined
  );
}

const anyVoucher: ReadonlySet<Voucher> = new Set(["user", "fields", "origin"]);

function vouchedBy(
  text: string,
  { kind, of, vouchedBy }: Destination,
  evidence: Evidence,
): {
  key: string | undefined;
  address?: Address | undefined;
  by: Voucher | undefined;
  isAmbiguous?: boolean;
} {
  const key = canonicalOf[kind](text);
  if (key === undefined || key === "") return { key, by: undefined, isAmbiguous: true };
  const address = kind === "url" ? readUrl(text) : undefined;
  const by = voucherOf(kind, of, key, address, vouchedBy, evidence);
  if (by === undefined || kind !== "url") return { key, address, by };
  // Another destination may stand in the path or the query of one that the user named.
  const isCovered = literalsWithin(text).every((each) => isVouched(each, evidence, vouchedBy));
  return { key, address, by: isCovered ? by : undefined };
}

function voucherOf(
  kind: Kind,
  of: string | undefined,
  canonical: string,
  address: Address | undefined,
  by: ReadonlySet<Voucher>,
  { session, said, trusted, preset }: Evidence,
): Voucher | undefined {
  if (trusted.has(kind, canonical, address)) return "user";
  if (said.some((text) => text.names(kind, canonical, address))) return "user";
  // What is secret goes only where the user said.
  if (session.confidentiality === "secret") return undefined;
  if (preset.fieldsVouch && by.has("fields")) {
    if (address === undefined && session.fields.sourceOf(kind, of, canonical) !== undefined) {
      return "fields";
    }
    if (address !== undefined && session.fields.coversUrl(address)) return "fields";
    if (kind === "text" && said.some((text) => text.composes(canonical, session.fields.isName))) {
      return "fields";
    }
  }
  if (preset.originsVouch && by.has("origin")) {
    const source = session.origins.sourceOf(kind, of, canonical);
    if (source !== undefined && session.hasReadOnly(source)) return "origin";
  }
  return undefined;
}
