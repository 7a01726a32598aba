import { invalidOption, quoted } from "@toolstile/core/provider";
import { type Address, canonicalHost, canonicalMail, type Kind } from "../destinations/address.js";

/** Hosts and mail addresses that every session may send to: "example.com", "*.example.com", "ann@example.com". */
export class TrustedDestinations {
  readonly #mails = new Set<string>();
  readonly #hosts = new Set<string>();
  readonly #below: string[] = [];

  /** @throws ToolstileError `ERR_INVALID_OPTION` for a text that is none of the three. */
  constructor(where: string, given: readonly string[]) {
    for (const each of given) {
      const below = each.startsWith("*.");
      const name = below ? each.slice(2) : each;
      const mail = each.includes("@") ? canonicalMail(each) : undefined;
      const host = each.includes("@") ? undefined : canonicalHost(name);
      if (mail !== undefined) this.#mails.add(mail);
      else if (host !== undefined && below) this.#below.push(`.${host}`);
      else if (host !== undefined) this.#hosts.add(host);
      else {
        throw invalidOption(
          where,
          `'trusted' must hold hosts and mail addresses, as in "example.com", "*.example.com" or "ann@example.com", received ${quoted(each)}.`,
        );
      }
    }
  }

  has(kind: Kind, canonical: string, address: Address | undefined): boolean {
    if (kind === "mail") {
      return (
        this.#mails.has(canonical) || this.#hasHost(canonical.slice(canonical.lastIndexOf("@") + 1))
      );
    }
    if (kind === "url") return address !== undefined && this.#hasHost(address.host);
    return kind === "host" && this.#hasHost(canonical);
  }

  #hasHost(host: string): boolean {
    return this.#hosts.has(host) || this.#below.some((suffix) => host.endsWith(suffix));
  }
}
