import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMessage } from "../../src/message/read-message.js";

const cap = 1_000_000;
const read = (text: string | Buffer) => readMessage(Buffer.from(text as string), cap);
const call = (more = "", params = '{"name":"t","arguments":{}}') =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}${more}}`;

describe("a message", () => {
  it.each([
    ["a request", '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    [
      "a request of an unknown method",
      '{"jsonrpc":"2.0","id":"a","method":"x/y","params":{"n":1e400}}',
    ],
    ["a notification", '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
    ["an answer", '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ["an error", '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}'],
    ["an error that answers nobody", '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}'],
    ["a call", call()],
    [
      "an answer with a number beyond 2^53",
      '{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}',
    ],
    [
      "a text that names tools/call",
      '{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"tools/call"}}',
    ],
  ])("is read where it is %s", (_, text) => {
    expect(read(text)).toEqual({ ok: true, message: JSON.parse(text) });
  });

  it.each([
    ["is not JSON", "{", -32_700],
    ["is followed by another", `${call()}${call()}`, -32_700],
    ["begins with a byte order mark", `\ufeff${call()}`, -32_700],
    ["is no object", "7", -32_600],
    ["is null", "null", -32_600],
    ["has a member that JSON-RPC has not", call(',"extra":{"a":1}'), -32_600],
    ["is of another JSON-RPC", '{"id":1,"method":"ping"}', -32_600],
    ["is neither request nor answer", '{"jsonrpc":"2.0","id":1}', -32_600],
    ["answers twice", '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', -32_600],
    ["asks and answers", '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', -32_600],
    ["has an id that rounds", '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32_600],
    ["has an id of null", '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600],
    ["has an object for an id", '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600],
    [
      "has the same key twice, deep inside",
      '{"jsonrpc":"2.0","id":1,"result":{"a":[{"b":1,"b":2}]}}',
      -32_600,
    ],
  ])("is refused that %s", (_, text, code) => {
    expect(read(text)).toMatchObject({ ok: false, code });
  });

  it("is refused that is not UTF-8, and is not repaired", () => {
    const bytes = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"pXng"}');
    bytes[bytes.indexOf("X")] = 0xff;
    expect(read(bytes)).toMatchObject({ ok: false, code: -32_700 });
  });
});

describe("P6 a tools/call that another reader would find", () => {
  it.each([
    [
      "behind a second method",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"},"method":"ping"}',
    ],
    [
      "behind a second method, escaped",
      '{"jsonrpc":"2.0","id":1,"m\\u0065thod":"tools/call","params":{"name":"t"},"method":"ping"}',
    ],
    ["in second params", call(',"params":{"name":"other"}')],
    ["under another name, twice", call("", '{"name":"t","name":"other","arguments":{}}')],
    ["with arguments twice", call("", '{"name":"t","arguments":{"a":1},"arguments":{"a":2}}')],
    ["with an argument twice", call("", '{"name":"t","arguments":{"a":1,"a":2}}')],
    ["in a batch", `[${call()}]`],
    [
      "behind a NUL in a member's name",
      '{"jsonrpc":"2.0","id":1,"method":"ping","method\\u0000x":"tools/call","params":{"name":"t"}}',
    ],
    ["behind a NUL in its method", call().replace("tools/call", "tools/call\\u0000x")],
    ["behind what nobody sees in a member's name", call("", '{"name":"t","n\\u200bame":"other"}')],
    [
      "in a list for a method",
      '{"jsonrpc":"2.0","id":1,"method":["tools/call"],"params":{"name":"t"}}',
    ],
    ["in a prototype", `{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":${call()}}`],
    ["in a prototype of the params", call("", '{"name":"t","__proto__":{"name":"other"}}')],
    ["in a prototype of the arguments", call("", '{"name":"t","arguments":{"__proto__":{"a":1}}}')],
    [
      "by a method in capitals",
      '{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"t"}}',
    ],
    [
      "by a long s",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"},"param\u017f":{"name":"other"}}',
    ],
    ["by a name in capitals", call("", '{"name":"t","NAME":"other"}')],
    ["by arguments in capitals", call("", '{"name":"t","Arguments":{"a":1}}')],
    ["in capitals", '{"jsonrpc":"2.0","id":1,"method":"Tools/Call","params":{"name":"t"}}'],
    [
      "with a space behind it",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call ","params":{"name":"t"}}',
    ],
    [
      "with a NUL in it",
      '{"jsonrpc":"2.0","id":1,"method":"tools/call\\u0000","params":{"name":"t"}}',
    ],
    [
      "with a zero-width space in it",
      '{"jsonrpc":"2.0","id":1,"method":"tools\u200b/call","params":{"name":"t"}}',
    ],
    ["without an id", '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"t"}}'],
    [
      "with an id of null",
      '{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"t"}}',
    ],
    ["with params in a list", call("", '["t",{}]')],
    ["with a number that rounds", call("", '{"name":"t","arguments":{"n":9007199254740993}}')],
    [
      "deeper than parsers agree on",
      call("", `{"name":"t","arguments":{"a":${"[".repeat(500)}${"]".repeat(500)}}}`),
    ],
  ])("is refused: %s", (_, text) => {
    expect(read(text).ok).toBe(false);
  });

  it("is seen however the method is spelt in JSON", () => {
    const text = call().replace("tools/call", "\\u0074ools\\u002fcall");
    expect(read(text)).toEqual({ ok: true, message: JSON.parse(text) });
    const twice = text.replace('"name":"t"', '"name":"t","n\\u0061me":"other"');
    expect(read(twice).ok).toBe(false);
  });
});

describe("a refusal", () => {
  it("has the ids of who is to be told, and no others", () => {
    expect(read(`[${call()},{"jsonrpc":"2.0","id":"b","result":{}},{"id":{}},7]`)).toMatchObject({
      requestIds: [1],
      answeredIds: ["b"],
    });
  });

  it("P2 quotes nothing of the message, whatever it is", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[g-z]{8,20}$/), fc.nat(5), (secret, which) => {
        const texts = [
          `{"${secret}`,
          `{"jsonrpc":"${secret}"}`,
          `{"jsonrpc":"2.0","${secret}":1,"${secret}":2}`,
          `["${secret}"]`,
          `{"jsonrpc":"2.0","id":1,"method":["${secret}"]}`,
          `{"jsonrpc":"2.0","id":{"a":"${secret}"},"method":"ping"}`,
        ];
        const reading = read(texts[which] as string);
        expect(reading.ok).toBe(false);
        expect(JSON.stringify(reading)).not.toContain(secret);
      }),
    );
  });

  it("is all that comes of any bytes: reading never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)), (bytes) => {
        expect(typeof readMessage(bytes, cap).ok).toBe("boolean");
      }),
    );
  });
});
