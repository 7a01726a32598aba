import { describe, expect, it } from "vitest";
import { saysOf } from "./ask.js";

describe("the host of a URL", () => {
  const hostIn = [
    "good.com",
    "*.good.org",
    "bücher.example",
    "127.0.0.1",
    "10.0.0.0/8",
    "::1",
    "fd00::/8",
  ];
  it.each<[unknown, string]>([
    ["https://good.com/a?b#c", "true"],
    ["https://GOOD.com./", "true"],
    ["http://good.com:8080/", "true"],
    ["good.com", "true"],
    ["good.com:443", "true"],
    ["https://a.good.org", "true"],
    ["https://a.b.good.org/", "true"],
    ["https://good.org/", "false"],
    ["https://evilgood.org/", "false"],
    ["https://evilgood.com/", "false"],
    ["https://good.com.evil.com/", "false"],
    ["https://evil.com/good.com", "false"],
    ["https://evil.com?https://good.com", "false"],
    ["https://evil.com#@good.com", "untold"],
    ["https://good.com#@evil.com/", "untold"],
    ["https://good.com?@evil.com", "untold"],
    ["https://good.com?to=ann@evil.com", "untold"],
    ["https://good.com/?to=ann@example.com", "true"],
    ["https://good.com/@ann#a@b", "true"],
    ["https://good.com@evil.com/", "untold"],
    ["http://good.com:80@evil.com:443/", "untold"],
    ["https://user:pass@good.com/", "untold"],
    ["https://good.com\\@evil.com/", "untold"],
    ["https:\\\\good.com", "untold"],
    ["https:good.com", "untold"],
    ["https:/good.com", "untold"],
    ["https:///good.com", "untold"],
    ["//good.com/", "untold"],
    ["https://good.com%2eevil.com/", "untold"],
    ["https://good.com%00.evil.com/", "untold"],
    ["https://good\t.com/", "untold"],
    [" https://good.com/", "untold"],
    ["https://good.com\n", "untold"],
    ["https://ⓖood.com/", "untold"],
    ["https://good。com/", "untold"],
    ["https://g\u043eod.com/", "false"],
    ["https://bücher.example/", "true"],
    ["https://xn--bcher-kva.example/", "true"],
    ["https://fuß.example/", "untold"],
    ["http://127.0.0.1/", "true"],
    ["http://2130706433/", "untold"],
    ["http://0x7f.1/", "untold"],
    ["http://127.1/", "untold"],
    ["http://0177.0.0.1/", "untold"],
    ["http://10.200.0.1:80/", "true"],
    ["http://11.0.0.1/", "false"],
    ["http://[::1]/", "true"],
    ["http://[0:0:0::1]:8080/", "true"],
    ["http://[::ffff:10.0.0.1]/", "true"],
    ["http://[::ffff:7f00:1]/", "true"],
    ["http://[fd12::1]/", "true"],
    ["http://[fe80::1]/", "false"],
    ["http://[2001:0:0:0:0:0:80ff:fffe]/", "untold"],
    ["http://[2001:0:53aa:64c::1]/", "untold"],
    ["http://[2001:db8::1]/", "false"],
    ["http://[fe80::5efe:127.0.0.1]/", "untold"],
    ["http://[fe80::200:5efe:a00:1]/", "untold"],
    ["http://[fe80::1%25eth0]/", "untold"],
    ["ftp://good.com/", "true"],
    ["foo://good.com/", "untold"],
    ["file:///good.com", "untold"],
    ["javascript:alert(1)//good.com", "untold"],
    ["mailto:ann@good.com", "untold"],
    ["", "untold"],
    ["https://", "untold"],
    [["https://good.com"], "untold"],
  ])("of %j is in the list: %s", (value, expected) => {
    expect(saysOf({ at: "/x", hostIn }, { x: value })).toBe(expected);
  });
});

describe("the scheme of a URL", () => {
  it.each<[unknown, string]>([
    ["https://a.example", "true"],
    ["HTTPS://a.example", "true"],
    ["http://a.example", "false"],
    ["javascript:alert(1)", "false"],
    ["java\nscript:alert(1)", "untold"],
    [" https://a.example", "untold"],
    ["a.example", "untold"],
    ["//a.example", "untold"],
    ["data:text/html,x", "false"],
    [7, "untold"],
  ])("of %j is https: %s", (value, expected) => {
    expect(saysOf({ at: "/x", urlScheme: ["https"] }, { x: value })).toBe(expected);
  });
});

describe("a host that some clients read in another way", () => {
  it.each([
    "http://localhost../",
    "http://127.0.0.1..:80/",
    "localhost..",
    "http:0",
    "HTTPS:1",
    "ws:127",
    "file:80",
    "http://[::127.0.0.1]/",
    "[64:ff9b::10.0.0.1]",
    "http://[2002:7f00:1::]/",
    "http://[::ffff:0:127.0.0.1]/",
  ])("is undecided: %s", (x) => {
    expect(saysOf({ at: "/x", hostIn: ["localhost", "127.0.0.0/8", "0.0.0.0/8"] }, { x })).toBe(
      "untold",
    );
  });

  it.each([..."\"'`;{},*$", "."])(
    "is undecided with %j in it, where some clients end it",
    (sign) => {
      const x = `http://evil.example${sign}.example.com/`;
      expect(saysOf({ at: "/x", hostIn: ["*.example.com"] }, { x })).toBe("untold");
      const bare = `http://${sign}.example.com/`;
      expect(saysOf({ at: "/x", hostIn: ["*.example.com"] }, { x: bare })).toBe("untold");
    },
  );

  it.each([
    ["localhost:80", "true"],
    ["http://[::1]/", "false"],
    ["http://[::]/", "false"],
    ["[2001:db8::1]:80", "false"],
  ])("is decided where all read it alike: %s: %s", (x, expected) => {
    expect(saysOf({ at: "/x", hostIn: ["localhost"] }, { x })).toBe(expected);
  });
});
