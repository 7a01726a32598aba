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

/** Numbers that networks and payment services publish for trying things out. */
export const testCards: ReadonlySet<string> = new Set([
  "4111111111111111",
  "4012888888881881",
  "4242424242424242",
  "4000056655665556",
  "4000000000000002",
  "5555555555554444",
  "5105105105105100",
  "5200828282828210",
  "2223003122003222",
  "378282246310005",
  "371449635398431",
  "378734493671000",
  "6011111111111117",
  "6011000990139424",
  "30569309025904",
  "38520000023237",
  "3056930009020004",
  "3566002020360505",
  "3530111333300000",
  "6200000000000005",
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
];
