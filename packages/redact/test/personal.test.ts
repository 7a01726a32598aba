import { describe, expect, it } from "vitest";
import { redactor } from "../src/index.js";

const { find } = redactor();

/** What is found, as it stands in the text. */
function foundIn(text: string): readonly string[] {
  return find(text).map(({ start, end }) => text.slice(start, end));
}

describe("an address of IPv4", () => {
  it.each([
    ['{"version":2,"ip":"193.24.7.56"}'],
    ["User-Agent: curl/8.1\r\nX-Real-IP: 193.24.7.56"],
    ["The release server is 193.24.7.56."],
    ["firmware 2.1 at 193.24.7.56"],
    ["columns 12 193.24.7.56 0.034 200"],
    ["91.12.4.5 193.24.7.56 85.1.2.3"],
    ["[193.24.7.56, 85.1.2.3]"],
    ["1001,1764477852123,443,17,2,193.24.7.56,200,512,1764477852,88"],
  ])("is found behind a word for versions that says something else: %j", (text) => {
    expect(foundIn(text)).toContain("193.24.7.56");
  });

  it.each([
    ["firmware: 17.24.1.34"],
    ["upgraded to 2.16.6.17 on Monday"],
    ["rotate version `21.2.27.30`"],
    ['"resolved": "4.0.2.5"'],
    ['"AWSSDK.Core": "[4.0.3.3, 5.0.2.2)"'],
    ["as defined in Section 6.1.7.1 of it"],
    ["see RFC 7231 sec 3.1.1.1"],
    ["X509v3 extension 2.5.29.17 (subjectAltName)"],
    ["Ed25519 (OID 1.3.101.112)"],
    ['ObjectIdentifier("2.5.29.14")'],
    ["<Version>1.45.6.7</Version>"],
    ["upgrade from 4.15.2.9 to 5.0.1.2"],
    ['d="M9 3.23 0 0 0-1.01 2.43c-.01.97.32 1.79 1 2.47.7.67 1.51 1 2.48 1 1.2-.4 2.1"'],
  ])("is none where a version, a section or a path of SVG stands: %j", (text) => {
    expect(foundIn(text)).toEqual([]);
  });
});

describe("four numbers that are none beside what is masked", () => {
  it.each([
    ["1.51 1 2.48 1 1.2-.4 4.0.3.3, 4539 1488 0343 6467 2.1 3.2"],
    ['BSSID:"[4.0.3.3, 4.0.3.3, qty 2 version 4.0.3.3'],
    ['order 2a02:8109:aa:1::781.2.69.142"%205018083346444446'],
    ["card 3679406902529983632 0095 5271 8360 801"],
  ])("are masked with it, so that redacting twice is redacting once: %j", (text) => {
    const { text: redact } = redactor();
    const once = redact(text).value;
    expect(once).toContain("[redacted personal.");
    expect(redact(once).value).toBe(once);
  });
});

describe("a mark that stands in the text already", () => {
  it.each([
    ["[redacted] 81.2.69.142", "[redacted] [redacted personal.ipv4]"],
    ["user [redacted]: 5018083346444446", "user [redacted]: [redacted personal.card]"],
    [
      "[redacted secret.password]\n219-09-9998",
      "[redacted secret.password]\n[redacted personal.ssn]",
    ],
    [
      "order [redacted personal.email] 4539148803436467",
      "order [redacted personal.email] [redacted personal.card]",
    ],
  ])("hides nothing that stands behind it: %j", (text, expected) => {
    expect(redactor().text(text).value).toBe(expected);
  });

  it("is made beside a number that a word before it says something else of", () => {
    const expected = "order [redacted personal.email] [redacted personal.card]";
    expect(redactor().text("order zoe@brawyn.de 4539148803436467").value).toBe(expected);
  });
});

describe("an address of IPv6", () => {
  it.each([
    "2001:4860:4860::8888",
    "2606:4700:4700:0:0:0:0:1001",
    "2620:fe::fe",
    "2620:119:53::53",
  ])("is nobody's of a public resolver: %s", (text) => {
    expect(foundIn(`resolver ${text}`)).toEqual([]);
  });

  it.each([
    ["from 2a01:4f8:c1::83a4. Then", "2a01:4f8:c1::83a4"],
    ["Received: from x ([IPv6:2a02:8109:aa:1::7])", "2a02:8109:aa:1::7"],
    ["2a01:4f8::85.214.13.7", "2a01:4f8::85.214.13.7"],
  ])("is found before a full stop and behind a word: %j", (text, address) => {
    expect(foundIn(text)).toEqual([address]);
  });

  it.each([["1:2:3:2a02:8109:aa:1::7"], ["x::2a02:8109::7"]])(
    "is none behind another group: %j",
    (text) => {
      expect(foundIn(text)).toEqual([]);
    },
  );
});

describe("a MAC address", () => {
  it.each([
    ["BSSID:3c:22:fb:4a:9d:01", "3c:22:fb:4a:9d:01"],
    ["MAC=ff:ff:ff:ff:ff:ff:3c:22:fb:4a:9d:02:08:00", "ff:ff:ff:ff:ff:ff:3c:22:fb:4a:9d:02"],
  ])("is found behind a word, and in the head of a frame: %j", (text, address) => {
    expect(foundIn(text)).toEqual([address]);
  });

  it.each([
    ["3c:22:fb:4a:9d:01:a8:b1:d4:00:11:22:08:00:ff"],
    ["3c:22:fb:4a:9d:01:a8:b1:d4:00:11:22:08:0"],
    ["3c:22:fb:ff:fe:4a:9d:01"],
    ["0a:3c:22:fb:4a:9d:01"],
  ])("is none in a longer row of octets: %j", (text) => {
    expect(foundIn(text)).toEqual([]);
  });
});

describe("a number of a phone", () => {
  it.each([
    ["Kontakt 0049 171 4711223", "0049 171 4711223"],
    ["Kontakt 001-212-664-7391", "001-212-664-7391"],
    ["Mobil: 0171/4711223", "0171/4711223"],
    ["Handy 0171 4711223", "0171 4711223"],
    ["Fax 030 4711223", "030 4711223"],
    ["tél. 06 12 34 56 79", "06 12 34 56 79"],
    ["Tél : 01.42.34.56.79", "01.42.34.56.79"],
    ["тел. 8 (916) 445-66-78", "8 (916) 445-66-78"],
    ["手機 0912 345 678", "0912 345 678"],
    ["userPhone: 4156641234", "4156641234"],
    ['"phoneNumber":"4156641234"', "4156641234"],
    ["mobile_number=4156641234", "4156641234"],
  ])(
    "is found behind a word of its language, or the zeros of other countries: %j",
    (text, number) => {
      expect(foundIn(text)).toEqual([number]);
    },
  );

  it.each([
    ["I PhoneStatusBar: vis=40000500\n03-17 16:13:38.955  2227  2227 I"],
    ["phoneId=12345678"],
    ["iPhone 15, Art. 4398397"],
    ["Telephone Corporation 2017-2022"],
    ["as defined in Clause 252.227-7013 (c) (1)"],
    ["IBAN: PT50 0932 3739 2977 0031 1674 3"],
    ["order 0049123456789"],
    ["0049 12 3"],
  ])("is none where another number stands: %j", (text) => {
    expect(foundIn(text)).toEqual([]);
  });
});

describe("mail and account numbers", () => {
  it.each([
    ["an o'brien@brawyn.de", "o'brien@brawyn.de"],
    ["'zoe@brawyn.de'", "zoe@brawyn.de"],
    ["b'zoe@brawyn.de'", "zoe@brawyn.de"],
    ["zoe@mail.jpです", "zoe@mail.jp"],
    [
      "IBAN DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000",
      "DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000",
    ],
    [
      "DE89\u202f3704\u202f0044\u202f0532\u202f0130\u202f00",
      "DE89\u202f3704\u202f0044\u202f0532\u202f0130\u202f00",
    ],
  ])("are found as they are written: %j", (text, item) => {
    expect(foundIn(text)).toEqual([item]);
  });

  it.each([
    ["render@2x.ae92c969.png"],
    ["ssh-ed25519-cert-v01@openssh.com, curve25519-sha256@libssh.org"],
    ["module@v1.2.3.zip"],
    ["pkg@1.2.3.dev"],
  ])("are none where a file, an algorithm or a version stands: %j", (text) => {
    expect(foundIn(text)).toEqual([]);
  });
});

describe("a number of a card", () => {
  it.each([["\u00a0"], ["\u202f"], ["."], [" "], ["-"]])(
    "is found with %j between its groups",
    (sign) => {
      const card = ["4539", "1488", "0343", "6467"].join(sign);
      expect(foundIn(`paid by ${card} today`)).toEqual([card]);
    },
  );

  it.each([
    ["Maestro's range, of 15 digits", '{"fbid":647417519349455}'],
    ["a column of numbers", "3643 9184 3652 853"],
    ["a dump of bytes", "2600 0000 0000 0000"],
  ])("is none without a word for cards in %s", (_, text) => {
    expect(foundIn(text)).toEqual([]);
  });

  it("is found with a word for cards before it in whatever length its network has", () => {
    expect(foundIn("card 647417519349455")).toEqual(["647417519349455"]);
  });
});
