import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { checkOptions } from "../src/errors/options.js";
import { ToolRunner } from "../src/index.js";
import {
  boolean,
  func,
  group,
  list,
  nonEmptyText,
  type OptionTable,
  object,
  oneOf,
  positive,
  readOptions,
  required,
  such,
  text,
  unchecked,
  whole,
} from "../src/provider/index.js";
import { errorOf, secret } from "./support/errors.js";

function boom(): never {
  throw new Error("a getter");
}

interface LimiterOptions {
  readonly limit: number;
  readonly name?: string | undefined;
  readonly mode?: "fast" | "exact";
  readonly bounds?: { readonly depth?: number | undefined } | undefined;
}

const table = {
  limit: required(whole(1)),
  name: text().default("limiter"),
  mode: oneOf("fast", "exact"),
  bounds: group({ depth: whole(1) }),
} satisfies OptionTable<LimiterOptions>;

const read = (given: unknown) => readOptions("limiter()", given, table);

describe("readOptions", () => {
  it("gives each option, and the default of one that is not there", () => {
    expect({ ...read({ limit: 3, bounds: { depth: 2 } }) }).toEqual({
      limit: 3,
      name: "limiter",
      bounds: { depth: 2 },
    });
  });

  it("has no member for an option that was not given and has no default", () => {
    expect(Object.keys(read({ limit: 3 }))).toEqual(["limit", "name"]);
  });

  it("P5 takes neither a text nor a function for an object", () => {
    for (const a of ["x", () => {}]) {
      expect(errorOf(() => readOptions("w()", { a }, { a: object() })).message).toBe(
        `w(): 'a' must be an object, received ${typeof a}.`,
      );
    }
  });

  it("gives a frozen object without a prototype, also within an option", () => {
    const options = read({ limit: 3, bounds: {} });
    for (const each of [options, options.bounds as object]) {
      expect(Object.getPrototypeOf(each)).toBeNull();
      expect(Object.isFrozen(each)).toBe(true);
    }
  });

  it("P5 names an unknown option, the nearest right one, and all there are", () => {
    const error = errorOf(() => read({ limit: 3, limits: 4 }));
    expect(error.code).toBe("ERR_UNKNOWN_OPTION");
    expect(error.message).toBe(
      "limiter() has no option 'limits'. Did you mean 'limit'? It takes: limit, name, mode, bounds.",
    );
  });

  it("P5 names an unknown option within an option, and where it stands", () => {
    const error = errorOf(() => read({ limit: 3, bounds: { dept: 4 } }));
    expect(error.code).toBe("ERR_UNKNOWN_OPTION");
    expect(error.message).toContain("limiter(): 'bounds' has no option 'dept'.");
    expect(error.message).toContain("Did you mean 'depth'?");
  });

  it("P5 finds an unknown option that is not enumerable, or that is undefined", () => {
    const hidden = Object.defineProperty({ limit: 3 }, "nmae", { value: "x", enumerable: false });
    for (const given of [hidden, { limit: 3, nmae: undefined }]) {
      expect(errorOf(() => read(given)).code).toBe("ERR_UNKNOWN_OPTION");
    }
  });

  it.each([
    [{}, "'limit' must be a whole number of at least 1, received undefined."],
    [{ limit: undefined }, "'limit' must be a whole number of at least 1, received undefined."],
    [{ limit: 0 }, "'limit' must be a whole number of at least 1, received 0."],
    [{ limit: 1.5 }, "'limit' must be a whole number of at least 1, received 1.5."],
    [{ limit: "3" }, "'limit' must be a whole number of at least 1, received string."],
    [{ limit: 3, name: null }, "'name' must be a string, received null."],
    [
      { limit: 3, mode: "fats" },
      '\'mode\' must be "fast" or "exact", received "fats". Did you mean "fast"?',
    ],
    [{ limit: 3, mode: "a secret" }, '\'mode\' must be "fast" or "exact", received string.'],
    [{ limit: 3, bounds: 7 }, "'bounds' must be an object of options, received 7."],
    [{ limit: 3, bounds: [] }, "'bounds' must be an object of options, received an empty array."],
    [
      { limit: 3, bounds: { depth: [] } },
      "'bounds.depth' must be a whole number of at least 1, received an empty array.",
    ],
  ])("P5 says of %j what the option must be, and what was received", (given, problem) => {
    const error = errorOf(() => read(given));
    expect(error.code).toBe("ERR_INVALID_OPTION");
    expect(error.message).toBe(`limiter(): ${problem}`);
  });

  it("P5 refuses that a required option is left out, also where its reader takes any value", () => {
    const table = { any: required(unchecked()), such: such(() => true, "a value").required() };
    expect({ ...readOptions("w()", { any: 1, such: 2 }, table) }).toEqual({ any: 1, such: 2 });
    for (const [given, missing] of [
      [{ such: 2 }, "any"],
      [{ any: 1 }, "such"],
    ] as const) {
      expect(errorOf(() => readOptions("w()", given, table)).message).toBe(
        `w(): '${missing}' must be a value, received undefined.`,
      );
    }
  });

  it.each([
    ["null", null],
    ["undefined", undefined],
    ["text", "limit"],
    ["a list", [3]],
    ["a function", () => ({ limit: 3 })],
    ["a map", new Map([["limit", 3]])],
    ["a promise", Promise.resolve({ limit: 3 })],
    ["an object that inherits its options", Object.create({ limit: 3 })],
    [
      "one that inherits them from an object without a prototype",
      Object.create(Object.create(null)),
    ],
  ])("P5 refuses %s in the place of options", (_, given) => {
    const error = errorOf(() => read(given));
    expect(error.code).toBe("ERR_INVALID_OPTION");
    expect(error.message).toMatch(/^limiter\(\): the options must be /);
  });

  it("takes options without a prototype, and of another realm", () => {
    const bare = Object.assign(Object.create(null), { limit: 3 });
    for (const given of [bare, runInNewContext("({ limit: 3 })")]) {
      expect(read(given).limit).toBe(3);
    }
  });

  it("P15 takes no option from a polluted prototype", () => {
    Object.defineProperty(Object.prototype, "mode", { value: "fast", configurable: true });
    try {
      expect(read({ limit: 3 }).mode).toBeUndefined();
    } finally {
      Reflect.deleteProperty(Object.prototype, "mode");
    }
  });

  it("reads each option once, so that what was checked is what is used", () => {
    let reads = 0;
    const given = {
      get limit() {
        return ++reads === 1 ? 3 : -1;
      },
    };
    expect(read(given).limit).toBe(3);
    expect(reads).toBe(1);
  });

  it("reads each option of a proxy once, and none that is unknown", () => {
    const asked: PropertyKey[] = [];
    const given = new Proxy(
      { limit: 3 },
      {
        get: (target, key) => {
          asked.push(key);
          return Reflect.get(target, key);
        },
      },
    );
    expect(read(given).limit).toBe(3);
    expect(asked).toEqual(["limit"]);
  });

  it("P5 says which option cannot be read, and nothing of the error's words", () => {
    const given = {
      get limit(): number {
        throw new Error(secret);
      },
    };
    const error = errorOf(() => read(given));
    expect(error.code).toBe("ERR_INVALID_OPTION");
    expect(error.message).toBe("limiter(): 'limit' must be readable, and reading it threw.");
    expect(error.cause).toBeInstanceOf(Error);
  });

  it("P5 refuses a proxy that throws when its keys are read", () => {
    const given = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error(secret);
        },
      },
    );
    const error = errorOf(() => read(given));
    expect(error.code).toBe("ERR_INVALID_OPTION");
    expect(error.message).not.toContain(secret);
  });

  it("does not compile for a table that lacks an option, has one too many or gives another type", () => {
    // @ts-expect-error `name` is missing.
    const lacking = { limit: required(whole(1)) } satisfies OptionTable<{
      limit: number;
      name?: string;
    }>;
    // @ts-expect-error `extra` is not an option.
    const extra = { limit: whole(1), extra: text() } satisfies OptionTable<{ limit?: number }>;
    // @ts-expect-error `limit` must be given.
    const optional = { limit: whole(1) } satisfies OptionTable<{ limit: number }>;
    expect([lacking, extra, optional]).toHaveLength(3);
  });
});

describe("the readers of options", () => {
  const one = (reader: Parameters<typeof required>[0], value: unknown): unknown =>
    readOptions("f()", { value }, { value: reader }).value;

  it.each([
    ["text", text(), "", 1],
    ["text that is not empty", nonEmptyText(), "x", ""],
    ["a boolean", boolean(), false, "true"],
    ["a whole number in bounds", whole(1, 3), 3, 4],
    ["a whole number that is safe", whole(0), 0, 2 ** 53],
    [
      "a whole number or Infinity",
      whole(1).or(Number.POSITIVE_INFINITY),
      Number.POSITIVE_INFINITY,
      0,
    ],
    ["a positive number", positive(), 0.5, 0],
    ["a finite number", positive(), 1, Number.POSITIVE_INFINITY],
    ["a number that is not NaN", positive().or(Number.POSITIVE_INFINITY), 1, Number.NaN],
    ["a word", oneOf("a", "b", "c"), "b", "d"],
    ["a function", func(), secretly, {}],
    ["an object", object(), Object.freeze({}), []],
    ["an object that is there", object(), Object.freeze({}), null],
    ["what a predicate holds of", such((value) => value === 7, "seven"), 7, 8],
  ])("take %s, and nothing else", (_, reader, right, wrong) => {
    expect(one(reader, right)).toBe(right);
    expect(errorOf(() => one(reader, wrong)).code).toBe("ERR_INVALID_OPTION");
    expect(one(reader, undefined)).toBeUndefined();
    expect(errorOf(() => one(required(reader), undefined)).code).toBe("ERR_INVALID_OPTION");
  });

  it("read a list into a frozen copy, and name the entry that is wrong or missing", () => {
    const given = ["a", "b"];
    const copy = one(list(text()), given) as readonly string[];
    given.push("c");
    expect(copy).toEqual(["a", "b"]);
    expect(Object.isFrozen(copy)).toBe(true);
    const holed = Object.assign(new Array(2), { 0: "a" });
    expect(errorOf(() => one(list(text()), holed)).message).toBe(
      "f(): 'value[1]' must be a string, received undefined.",
    );
  });

  it("refuse a list that has too few items, and say how many it must have", () => {
    const tools = list(text(), "a list of tools", { least: 1 });
    expect(one(tools, ["search"])).toEqual(["search"]);
    expect(one(tools, undefined)).toBeUndefined();
    expect(errorOf(() => one(tools, [])).message).toBe(
      "f(): 'value' must have at least 1 item, received 0.",
    );
    expect(errorOf(() => one(list(text(), "names", { least: 2 }), ["a"])).message).toBe(
      "f(): 'value' must have at least 2 items, received 1.",
    );
  });

  it("say a further right value", () => {
    expect(errorOf(() => one(positive().or(Number.POSITIVE_INFINITY), "soon")).message).toBe(
      "f(): 'value' must be a positive number, or Infinity, received string.",
    );
    expect(errorOf(() => one(required(whole(1).or("none")), undefined)).message).toBe(
      "f(): 'value' must be a whole number of at least 1, or \"none\", received undefined.",
    );
  });

  it("take a predicate that throws for one that does not hold", () => {
    const throwing = such(() => {
      throw new Error(secret);
    }, "calm");
    expect(errorOf(() => one(throwing, {})).message).toBe(
      "f(): 'value' must be calm, received object.",
    );
  });

  it("P2 never repeat a value that is not a number", () => {
    expect(errorOf(() => one(whole(1), secret)).message).not.toContain(secret);
    expect(errorOf(() => one(oneOf("a"), secret)).message).not.toContain(secret);
  });
});

function secretly(): string {
  return secret;
}

describe("options that are checked by their keys", () => {
  it("are refused where they cannot be read, are no object or have another key", () => {
    const broken = new Proxy({}, { ownKeys: () => boom() });
    for (const options of [broken, 7, null, [], { b: 1 }]) {
      const error = errorOf(() => checkOptions("f()", options, ["a"]));
      expect(error.code).toMatch(/^ERR_(?:INVALID|UNKNOWN)_OPTION$/);
    }
    expect(checkOptions("f()", { a: 1 }, ["a"])).toBeUndefined();
  });
});

describe("an option of options", () => {
  const limits = (given: unknown) =>
    errorOf(() => new ToolRunner({ guardrails: [], limits: given as never }));

  it("P5 is refused where it inherits from what only looks like the root", () => {
    const looksLike = Object.create({ isPrototypeOf: () => true, maxDepth: 3 });
    expect(limits(looksLike).message).toContain("'limits' must be a plain object");
  });

  it("P5 is told of by its name where it is of a class", () => {
    class Limits {
      maxDepth = 3;
    }
    const error = limits(new Limits());
    expect(error.message).toBe(
      "ToolRunner: 'limits' must be a plain object, received one with a prototype: what it inherits would not be read. Write { ... }.",
    );
    expect(Object.hasOwn(error, "cause")).toBe(false);
  });
});
