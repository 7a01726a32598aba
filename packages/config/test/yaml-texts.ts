import fc from "fast-check";

const texts = [
  `version: 1
guards:
  - use: "@toolstile/rate-limit"
    with: { limit: 5, windowMs: 60000 }
    tools: [search, { pattern: "a*" }]
  - use: ./x.js
    mode: shadow
agents:
  support:
    guards:
      - use: 'it''s'
`,
  `a: |
  text
   more

  end
b: >-
  folded
  text
c: "quoted \\n \\u0041
  next"
d: plain
  of lines
e:
- 1
- 2.5
- -0
- ~
- true
-
- [a, [b], {c: d}]
`,
  `- &a x
- *a
- !!str 5
- k:
    v
- - - n
- k: v
  l: w # comment
# c
-   z: 1
    y: 2
`,
  `{"a": [1, 2, {"b": null}], "c": "d\\"e", "f": {}}
`,
];
const pieces =
  "\n|\n  |\n    | |  |: |:|- |-|? |?|[|]|{|}|,|, |#| # c||-\n|>\n|>+\n|'|\"|&a |&b|*a|!!str |!!int |!x |~|null|0x1|1e3|.5|---\n|%|@|`|\\|\\n|a|key: v|<<: x|é: ü|\r\n";

/** Takes something out of a text, and puts something in. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  without: fc.constantFrom(0, 0, 1, 3),
  piece: fc.constantFrom(...pieces.split("|"), "|"),
});
/** Texts that people write, and what slips make of them. */
export const changedYaml = fc
  .tuple(fc.constantFrom(...texts), fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([text, changes]) =>
    changes.reduce((before, { at, without, piece }) => {
      const offset = Math.floor(at * before.length);
      return before.slice(0, offset) + piece + before.slice(offset + without);
    }, text),
  );
