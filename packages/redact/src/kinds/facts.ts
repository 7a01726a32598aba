/** Countries of the IBAN registry (SWIFT, release 99) and the length of their numbers. */
export const ibanLengths: ReadonlyMap<string, number> = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 " +
    "ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 " +
    "KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 " +
    "PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 " +
    "VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((row) => [row.slice(0, 2), Number(row.slice(2))]),
);

/**
 * Networks of payment cards: the first and the last of the first four digits of a number, and the shortest and the
 * longest number. ISO/IEC 7812 and the networks' own pages.
 */
export const cardNetworks: readonly (readonly [number, number, number, number])[] = [
  [2200, 2204, 16, 19],
  [2221, 2720, 16, 16],
  [3000, 3059, 14, 19],
  [3400, 3499, 15, 15],
  [3528, 3589, 16, 19],
  [3600, 3699, 14, 19],
  [3700, 3799, 15, 15],
  [3800, 3999, 14, 19],
  [4000, 4999, 13, 13],
  [4000, 4999, 16, 16],
  [4000, 4999, 19, 19],
  [5000, 5099, 12, 19],
  [5100, 5599, 16, 16],
  [5600, 5899, 12, 19],
  [6000, 6999, 12, 19],
  [8600, 8600, 16, 16],
  [9792, 9792, 16, 16],
];

/** Numbers that networks and payment services publish for trying things out. */
export const testCards: ReadonlySet<number> = new Set([
  4_111_111_111_111_111, 4_012_888_888_881_881, 4_242_424_242_424_242, 4_000_056_655_665_556,
  4_000_000_000_000_002, 5_555_555_555_554_444, 5_105_105_105_105_100, 5_200_828_282_828_210,
  2_223_003_122_003_222, 378_282_246_310_005, 371_449_635_398_431, 378_734_493_671_000,
  6_011_111_111_111_117, 6_011_000_990_139_424, 30_569_309_025_904, 38_520_000_023_237,
  3_056_930_009_020_004, 3_566_002_020_360_505, 3_530_111_333_300_000, 6_200_000_000_000_005,
]);

/** Domains of documentation (RFC 2606, RFC 6761): nobody's mail. */
export const documentationDomains: readonly string[] = [
  "example.com",
  "example.net",
  "example.org",
  "example",
  "test",
  "invalid",
  "localhost",
  // Names of algorithms, which have the form of mail (RFC 4251, 6).
  "openssh.com",
  "libssh.org",
];

/** Keys that Stripe's pages had for everybody to try. */
export const publishedKeys: ReadonlySet<string> = new Set([
  "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
  "sk_test_BQokikJOvBiI2HlWgH4olfQ2",
]);
