import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileTemplate } from "../../src/model-rails/template.js";

const compile = (source: string, names: readonly string[] = ["user_input"]) =>
  compileTemplate(source, names, "The prompt of task 'self_check_input'");
const render = (source: string, user_input = "x") => compile(source).render({ user_input });

describe("compileTemplate", () => {
  it.each([
    "{{ nope }}",
    "{{ nope.x }}",
    "{{ nope['x'] }}",
    "{% if nope %}a{% endif %}",
    "{% if nope == 'x' %}a{% endif %}",
    "{% if user_input and nope %}a{% endif %}",
    "{% for a in nope %}a{% endfor %}",
    "{% for a in [1] if nope %}a{% endfor %}",
    "{{ 'a' if nope else 'b' }}",
    "{{ user_input if true else nope }}",
    "{{ nope | upper }}",
    "{{ user_input | replace('a', nope) }}",
    "{{ user_input[nope] }}",
    "{{ [nope] | length }}",
    "{% set a = nope %}",
    "{% macro m(a=nope) %}{% endmacro %}",
    "{{ '%s' | format(nope) }}",
    "{{ config }}",
    "{{ constructor }}",
    "{{ __proto__ }}",
  ])("refuses at load the undefined name in %s", (source) => {
    expect(() => compile(source)).toThrow(
      expect.objectContaining({
        code: "ERR_CONFIG",
        message: expect.stringMatching(/self_check_input.*undefined/),
      }),
    );
  });

  it.each([
    "{{ user_input.nope }}",
    "{{ user_input.nope.more }}",
    "{{ user_input['nope'] }}",
    "{{ user_input[99] }}",
    "{% if user_input.nope %}a{% else %}b{% endif %}",
    "{% if not user_input.nope %}b{% endif %}",
    "{% if 'a' in user_input.nope %}a{% endif %}",
    "{{ 'a' if false }}",
    "{{ [] | first }}",
    "{{ [] | last }}",
    "{% if false %}{% set a = 1 %}{% endif %}{{ a }}",
    "{% macro m(a) %}{{ a }}{% endmacro %}{{ m() }}",
    "{% for a in [1] %}{% endfor %}{{ loop.index }}",
    "{{ user_input | nosuchfilter }}",
    "{{ user_input is nosuchtest }}",
    "{{ user_input.constructor('return 1')() }}",
    "{{ user_input.__proto__ }}",
    "{{ raise_exception('x') }}",
    "{{ '%s' | format }}",
    "{{ '%s' | format(user_input, 1) }}",
    "{{ '%q' | format(user_input) }}",
  ])("throws where it renders what is undefined in %s", (source) => {
    const template = compile(source);
    expect(() => template.render({ user_input: "x" })).toThrow();
  });

  it.each([
    ["{% if nope is defined %}a{% else %}b{% endif %}", "b"],
    ["{% if nope is undefined %}a{% endif %}", "a"],
    ["{{ nope | default('d') }}", "d"],
    ["{{ user_input[:2] }}", "us"],
    ["{{ user_input[1:] }}", "ser"],
    ["{% for i in range(3) %}{{ i }}{% endfor %}", "012"],
    ["{% for i in range(4, 0, -2) %}{{ i }}{% endfor %}", "42"],
    ["{% set a = 'b' %}{{ a }}{{ user_input | upper }}", "bUSER"],
    ["{% macro m(a, b='c') %}{{ a }}{{ b }}{% endmacro %}{{ m('x') }}", "xc"],
    ["{% for a in ['x', 'y'] %}{{ loop.index }}{{ a }}{% endfor %}", "1x2y"],
    ["{# user_input nope #}a", "a"],
    ["{% for c in user_input %}{{ c }}-{% endfor %}", "u-s-e-r-"],
    ["{% for c in user_input if c != 's' %}{{ c }}{% endfor %}", "uer"],
    ["{% for c in [user_input] %}{{ c }}{% endfor %}", "user"],
    ["{{ '%s is %d%%' | format(user_input, 7) }}", "user is 7%"],
    ['{{ \'<a href="x">&\' | escape }}{{ "\'" | e }}', "&lt;a href=&#34;x&#34;&gt;&amp;&#39;"],
    ["{{ 'two words, né' | wordcount }}", "3"],
    ["{{ user_input | escape | upper }}", "USER"],
    [
      "{% raw %}{{ nope }} {% for %} '\\n\n{% endraw %}{{ user_input }}",
      "{{ nope }} {% for %} '\\n\nuser",
    ],
    ["a {%- raw -%} {x} {%- endraw -%} b", "a{x}b"],
    ["a\n{% if true %}\nb\n{% endif %}\n", "a\n\nb\n"],
  ])("renders %j", (source, expected) => {
    expect(render(source, "user")).toBe(expected);
  });

  it.each([
    "{{ user_input",
    "{% if user_input %}",
    "{% for %}",
    "{{ 1 + }}",
    "{% nosuch %}",
    "{% raw %}a",
  ])("refuses at load %s, naming the task", (source) => {
    expect(() => compile(source)).toThrow(
      expect.objectContaining({
        code: "ERR_CONFIG",
        message: expect.stringContaining("self_check_input"),
      }),
    );
  });

  it("names the nearest variable for a typo", () => {
    expect(() => compile("{{ user_imput }}")).toThrow(/Did you mean 'user_input'\?/);
  });

  it("P9 leaves braces in a value as they are", () => {
    const syntax = fc.constantFrom(
      "{{",
      "}}",
      "{%",
      "%}",
      "{#",
      "#}",
      " config ",
      "user_input",
      "\n",
      "'",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(syntax, fc.string())), (pieces) => {
        const text = pieces.join("");
        expect(render("<{{ user_input }}>", text)).toBe(`<${text}>`);
      }),
    );
  });

  it.each([
    "{% for i in range(100000000) %}a{% endfor %}",
    "{% for i in range(0, 100000000, 1) %}a{% endfor %}",
    "{% for i in range(1, 9, 0) %}a{% endfor %}",
    "{% for i in range(10000) %}{% for j in range(10000) %}a{% endfor %}{% endfor %}",
    `{% set n = namespace(a='aaaaaaaaaa') %}${"{% set n.a = n.a ~ n.a %}".repeat(40)}{{ n.a }}`,
    `{% set n = namespace(a=[1, 2]) %}${"{% set n.a = n.a + n.a %}".repeat(40)}{{ n.a | length }}`,
    "{% set a = range(10000) %}{% for i in range(9999) %}{{ (a + []) | length }}{% endfor %}",
    `{% set n = namespace(a='aaaaaaaaaa') %}${"{% set n.a = n.a ~ n.a %}".repeat(16)}{% for i in range(9999) %}{{ n.a | upper | length }}{% endfor %}`,
  ])("bounds the work of %s", { tags: "long" }, (source) => {
    const template = compile(source);
    expect(() => template.render({ user_input: "x" })).toThrow(/too (many|long)/);
  });

  it.each([
    `{% set n = namespace(a=[1]) %}${"{% set n.a = [n.a, n.a] %}".repeat(40)}{{ n.a }}`,
    `{% set n = namespace(a={}) %}${"{% set n.a = {'a': n.a, 'b': n.a} %}".repeat(40)}{{ n.a }}`,
    "{% set n = namespace(a=1) %}{% set n.a = n %}{{ n }}",
    "{% set n = namespace(a=1) %}{{ [n] }}",
    "{{ user_input | replace('', user_input) }}",
    "{{ user_input.replace('', user_input) }}",
    "{{ user_input | replace(*['', user_input]) }}",
    "{{ range(9999) | join(user_input) }}",
    "{{ range(9999) | join(separator=user_input) }}",
    "{{ user_input | indent(1000000000) }}",
    "{{ user_input | indent(width=1000000000) }}",
    "{{ [1] | tojson(indent=1000000000) }}",
    "{% filter replace('', user_input) %}{{ user_input }}{% endfilter %}",
    "{% filter indent(1000000000) %}{{ user_input }}{% endfilter %}",
  ])("makes nothing of %s that is larger than its bounds", (source) => {
    expect(() => compile(source).render({ user_input: "x\n".repeat(25_000) })).toThrow(
      /too (many|long)|namespace/,
    );
  });

  it.each([
    "{% if user_input[50000:] in user_input %}x{% endif %}",
    "{% if user_input[50000:] not in user_input %}x{% endif %}",
    "{{ user_input | replace(user_input[50000:], 'x', count=1) | length }}",
    "{{ user_input.replace(user_input[50000:], 'x') | length }}",
    "{{ user_input.split(user_input[50000:]) | length }}",
  ])("does not search without end, as %s would", (source) => {
    const text = `${"a".repeat(60_000)}b${"a".repeat(10_000)}`;
    expect(() => compile(source).render({ user_input: text })).toThrow("too many steps");
  });

  it.each([
    "{{ 1 }}".repeat(5_000),
    `{{ [${"1,".repeat(9_999)}1] }}`,
    `{{ user_input${" | upper".repeat(1_000)} }}`,
    `{{ 1${" + 1".repeat(1_000)} }}`,
    `{{ ${"(".repeat(9_000)}1${")".repeat(9_000)} }}`,
    "x".repeat(32_001),
  ])(
    "refuses at load, naming the task, a template that is too large or too deep: %.20s",
    (source) => {
      expect(() => compile(source)).toThrow(
        expect.objectContaining({
          code: "ERR_CONFIG",
          message: expect.stringMatching(/self_check_input.*(must be at most|too large)/),
        }),
      );
    },
  );

  it("keeps long runs of blanks as they are, and drops them where a tag says so", () => {
    const blank = fc.constantFrom(
      " ",
      "\n",
      "\t",
      "\u2028",
      "\u2029",
      "\u2000",
      "\u2007",
      "\ufeff",
    );
    const run = fc.string({ unit: blank, minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(run, run, run, (a, b, c) => {
        expect(render(`a${a}{{ user_input }}${b}b${c}.`)).toBe(`a${a}x${b}b${c}.`);
        expect(render(`a${a}{{- user_input -}}${b}b${c}.`)).toBe(`axb${c}.`);
        expect(render(`${a}{{${b}'${c.replaceAll("\n", " ")}'${b}}}${c}.`)).toBe(
          `${a}${c.replaceAll("\n", " ")}${c}.`,
        );
        expect(render(`a${a}`)).toBe(`a${a}`.replace(/\n$/, ""));
        expect(render(`${a}{% raw %}${b}{% endraw %}${c}.`)).toBe(`${a}${b}${c}.`);
      }),
    );
  });

  it.each([
    ["{% for a in [1, 2, 3] %}{{ loop.index }}{{ loop.length }}{% endfor %}", "132333"],
    ["{% for a in [1, 2, 3] %}{% if a == 2 %}{% break %}{% endif %}{{ a }}{% endfor %}", "1"],
    ["{% for a in [1, 2, 3] if a != 2 %}{{ a }}{% endfor %}", "13"],
    ["{% for a in [] %}{{ a }}{% else %}none{% endfor %}", "none"],
    ["{% for a in [1, 2] if a > 2 %}{{ a }}{% else %}none{% endfor %}", "none"],
    ["{% for a in {'x': 1, 'y': 2} %}{{ a }}{% endfor %}", "xy"],
    ["{% for k, v in {'x': 1}.items() %}{{ k }}{{ v }}{% endfor %}", "x1"],
    ["{% set a = 'o' %}{% for a in [1] %}{% endfor %}{{ a }}", "o"],
    ["{% for a in [1, 2] %}{% for a in [3] %}{{ a }}{% endfor %}{{ a }}{% endfor %}", "3132"],
    ["{{ [3, 1, 2] | sort | join('-') }}", "1-2-3"],
    ["{{ user_input.replace('u', 'U') | upper }}", "USER"],
    ["{{ 'a\\nb' | indent(2) }}", "a\n  b"],
    ["{% filter upper %}{{ user_input }}{% endfilter %}", "USER"],
    ["{% filter escape %}<{{ user_input }}>{% endfilter %}", "&lt;user&gt;"],
    ["{{ 'y' if '1' == 1 else 'n' }}", "n"],
    ["{{ 'y' if '' == false else 'n' }}", "n"],
    ["{{ 'y' if [1] == '1' else 'n' }}", "n"],
    ["{{ 'y' if none == false else 'n' }}", "n"],
    ["{{ 'y' if [1, 'a'] == [1, 'a'] else 'n' }}", "y"],
    ["{{ 'y' if {'a': [1]} != {'a': [1]} else 'n' }}", "n"],
    ["{{ 'y' if 1 == true else 'n' }}", "y"],
    ["{{ 'y' if user_input == 'user' else 'n' }}", "y"],
    ["{{ 'y' if '1' in [1] else 'n' }}", "n"],
    ["{{ 'y' if [1] in [[1]] else 'n' }}", "y"],
    ["{{ 'y' if 'a' not in ['b'] else 'n' }}", "y"],
    ["{{ 'y' if 'se' in user_input else 'n' }}", "y"],
    ["{{ 'y' if 'a' in {'a': 1} else 'n' }}", "y"],
    ["{{ [user_input, 1] | tojson(indent=2) }}", '[\n  "user",\n  1\n]'],
  ])("renders %s as Jinja does", (source, expected) => {
    expect(render(source, "user")).toBe(expected);
  });

  it.each([
    ["{{ true }}", "true"],
    ["{{ ['a', 1.5, false] }}", '["a", 1.5, false]'],
    ["{{ {'a': [1]} }}", '{"a": [1]}'],
    ["{{ none }}", ""],
    ["{{ 'wörld' | title }}", "WöRld"],
  ])("writes %s otherwise than Jinja2, as docs/iorails.md says", (source, expected) => {
    expect(render(source, "user")).toBe(expected);
  });

  it("ends a macro that calls itself", () => {
    const template = compile("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}");
    expect(() => template.render({ user_input: "x" })).toThrow();
  });

  it("tells a template that is one variable", () => {
    expect(compile("{{ user_input }}").onlyVariable).toBe("user_input");
    expect(compile("{{ user_input }}\n").onlyVariable).toBe("user_input");
    expect(compile("{{ user_input }} ").onlyVariable).toBeUndefined();
    expect(compile("{{ user_input | upper }}").onlyVariable).toBeUndefined();
  });
});
