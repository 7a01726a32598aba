import ipaddr from "ipaddr.js";

type Range = { readonly bytes: readonly number[]; readonly bits: number };

/**
 * The special ranges of ipaddr.js, as bytes.
 *
 * Its parser takes 4 to 67 µs an address, too long for text of addresses only.
 */
function rangesOf(special: unknown): readonly Range[] {
  return Object.values(special as Record<string, unknown>).flatMap((entry) => {
    const rows = Array.isArray(entry) && Array.isArray(entry[0]) ? entry : [entry];
    return rows.map(([address, bits]: [{ toByteArray(): number[] }, number]) => ({
      bytes: address.toByteArray(),
      bits,
    }));
  });
}

// Its types leave the table out, which its documentation names.
const special4 = rangesOf(Reflect.get(new ipaddr.IPv4([0, 0, 0, 0]), "SpecialRanges")).map(
  ({ bytes, bits }) => ({
    base: bytes.reduce((sum, byte) => sum * 256 + byte, 0),
    size: 2 ** (32 - bits),
  }),
);
const special6 = rangesOf(Reflect.get(new ipaddr.IPv6(new Array(16).fill(0)), "SpecialRanges"));

/** True for an IPv4 address, as a number, that is nobody's: private, reserved, of documentation and so on. */
export function isSpecialIpv4(address: number): boolean {
  for (const { base, size } of special4) if (address >= base && address < base + size) return true;
  return false;
}

/** The same for the eight groups of an IPv6 address. Only global unicast (2000::/3, RFC 4291) is anybody's. */
export function isSpecialIpv6(groups: ArrayLike<number>): boolean {
  if (((groups[0] as number) & 0xe000) !== 0x2000) return true;
  return special6.some(({ bytes, bits }) => {
    for (let at = 0, left = bits; left > 0; at++, left -= 8) {
      const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
      const group = groups[at >> 1] as number;
      const byte = at % 2 === 0 ? group >> 8 : group & 0xff;
      if (((byte ^ (bytes[at] as number)) & mask) !== 0) return false;
    }
    return true;
  });
}
