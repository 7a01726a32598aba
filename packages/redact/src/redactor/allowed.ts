import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";
import type { Finding } from "../scan/findings.js";

/**
 * What is let through.
 *
 * - A text: this value, exactly as it stands.
 * - `domain`: mail at this domain, and at those below it.
 * - `range`: IP addresses in it, as `203.0.113.0/24`.
 * - `from`, `to`: numbers of cards, phones and US SSN with as many digits, from the first to the last, however they are grouped.
 */
export type AllowRule =
  | string
  | { readonly domain: string }
  | { readonly range: string }
  | { readonly from: string; readonly to: string };

export type IsAllowed = (finding: Finding, text: string) => boolean;

export function isAllowRule(value: unknown): value is AllowRule {
  if (typeof value === "string") return true;
  if (typeof value !== "object" || value === null) return false;
  const { domain, range, from, to } = value as Readonly<Record<string, unknown>>;
  switch (Object.keys(value).sort().join()) {
    case "domain":
      return typeof domain === "string" && asciiDomain(domain) !== "" && domain.includes(".");
    case "range":
      return typeof range === "string" && ipaddr.isValidCIDR(range);
    case "from,to":
      return areEnds(from, to);
    default:
      return false;
  }
}

function areEnds(from: unknown, to: unknown): boolean {
  if (typeof from !== "string" || typeof to !== "string") return false;
  return /^\d{4,19}$/.test(from) && /^\d+$/.test(to) && from.length === to.length && from <= to;
}

/** The domain as it is compared; nothing if it is none. */
function asciiDomain(domain: string): string {
  return /[\s@/:?#]/.test(domain) ? "" : domainToASCII(domain.replace(/\.$/, ""));
}

/** Decides for findings whether a rule lets them through. */
export function allowing(rules: readonly AllowRule[]): IsAllowed {
  const values = new Set<string>();
  const byRule: ((kind: string, value: string) => boolean)[] = [];
  for (const rule of rules) {
    if (typeof rule === "string") values.add(rule);
    else if ("domain" in rule) byRule.push(atDomain(asciiDomain(rule.domain)));
    else if ("range" in rule) byRule.push(inRange(ipaddr.parseCIDR(rule.range)));
    else byRule.push(betweenNumbers(rule.from, rule.to));
  }
  return ({ kind, start, end }, text) => {
    const value = text.slice(start, end);
    return values.has(value) || byRule.some((allows) => allows(kind, value));
  };
}

function atDomain(domain: string) {
  return (kind: string, value: string): boolean => {
    const at = value.lastIndexOf("@");
    if (kind !== "personal.email" || at < 0 || /[%\\]/.test(value)) return false;
    const own = asciiDomain(value.slice(at + 1));
    return own === domain || own.endsWith(`.${domain}`);
  };
}

function inRange([base, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]) {
  return (kind: string, value: string): boolean => {
    if (kind !== `personal.${base.kind()}` || !ipaddr.isValid(value)) return false;
    const address = ipaddr.parse(value);
    return address.kind() === base.kind() && address.match(base, bits);
  };
}

const numbered = new Set(["personal.card", "personal.phone", "personal.ssn"]);

function betweenNumbers(from: string, to: string) {
  return (kind: string, value: string): boolean => {
    if (!numbered.has(kind) || !/^[\d\s()+./-]+$/.test(value)) return false;
    const digits = value.replace(/\D/g, "");
    return digits.length === from.length && from <= digits && digits <= to;
  };
}
