import { describe, expect, it } from "vitest";
import { redactor } from "../src/index.js";
import { Draw, item } from "./items.js";

const { find } = redactor();
const base64 = new Draw(3);

/** The last character is another. */
function spoilt(value: string): string {
  return value.slice(0, -1) + (value.endsWith("7") ? "8" : "7");
}

describe("what only looks like an item", () => {
  it.each([
    ["a GitHub token whose check is wrong", `token ${spoilt(item("secret.github_token", 1))}`],
    ["an npm token whose check is wrong", `token ${spoilt(item("secret.npm_token", 1))}`],
    ["a card whose check digit is wrong", `card ${spoilt(item("personal.card", 1))}`],
    ["a test card", "card 4111 1111 1111 1111"],
    ["an IBAN whose check digits are wrong", "IBAN DE12 5001 0517 5407 3249 31"],
    ["a number that no SSN has", "SSN 900-12-3456, 666-12-3456, 123-00-4567"],
    ["mail of documentation", "zoe@example.com, zoe@mail.test, zoe@localhost"],
    ["a package, a remote and an image", "@scope/name@8.7.0 git@git.brawyn.de:a/b.git img@2x.png"],
    [
      "words behind basic, and a header with a placeholder",
      "basic Authentication, basic user:pass, Basic dXNlcjpwYXNzd29yZA== and basic dXNlcg==",
    ],
    [
      "headers with words of documentation",
      [
        "u:<password>",
        "u:$DB_PASSWORD",
        "u:{{ password }}",
        "u:xxxxxxxx",
        "u:****",
        "u:your-token",
        "u:changeme",
      ]
        .map((credentials) => `Basic ${Buffer.from(credentials).toString("base64")}`)
        .join(", "),
    ],
    [
      "what is no name and password behind basic",
      `Basic ${Buffer.from('{"version":3,"file":"a.js"}').toString("base64")}, basic InputTokens, basic skipTypeOnly`,
    ],
    [
      "a bot's id with a quote in it, which decoders of base64 pass over",
      '"MTI0Mjc3Mjkx"MTg2NTc1NzI1Ng.GFjcfw.u-TylSCHVUFrzvo2QGYMRjt3slvNmPOhPcUqyv',
    ],
    ["addresses of nobody", "127.0.0.1 10.1.2.3 192.0.2.7 ::1 fe80::1 2001:db8::1"],
    ["versions", "pip install x==19.6.17.36, firmware: 17.24.1.34, 1.2.3.4.5"],
    [
      "placeholders",
      "password: <password>, password=$DB_PASSWORD {{ password }} password: changeme ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    ],
    [
      "words about passwords",
      "PASSWORD_MIN_LENGTH=12, the password policy of 2024-01-01, getPassword() returns config.password",
    ],
    [
      "a key without a body",
      "-----BEGIN PRIVATE KEY-----\n<paste here>\n-----END PRIVATE KEY-----",
    ],
    [
      "a URL without a password",
      "postgres://localhost:5432/db https://user@host.de/ https://user:password@host.de/",
    ],
    ["groups between letters whose codes end as a colon's does", "hw 7cк1fк00к26к07к6a up"],
    ["a value of another pair of a form", "pwd=none&to=&Xk29#kdLs password &Xk29#kdLs"],
    [
      "text with dots",
      "eyJxQHUPJtCR7v4LUOwMnBD.eyJjtUkogzqlTQwURIUA.LEqOqtJ5XZ willow.quartz.plqbawvujmed",
    ],
    [
      "digests",
      `${new Draw(1).text(40, "0123456789abcdef")} ${new Draw(2).text(64, "0123456789abcdef")}`,
    ],
    [
      "letters of base64 that spell a word for a password",
      [
        `${base64.text(30)}pwd/${base64.text(43)}\n${base64.text(73)}pwd\n${base64.text(76)}`,
        `${base64.text(30)}\\/${base64.text(20)}PWD\\/${base64.text(20)}\\/${base64.text(30)}`,
      ].join("\n\n"),
    ],
    [
      "order numbers",
      `order_id=${item("personal.card", 4)} tracking no ${item("personal.card", 5)}`,
    ],
  ])("is not found: %s", (_, text) => {
    expect(find(text).map(({ start, end, kind }) => [kind, text.slice(start, end)])).toEqual([]);
  });
});

describe("what words tell", () => {
  it.each([
    ["secret.password", "password: Xk29kdLs7q", "Xk29kdLs7q"],
    ["secret.password", "Das Passwort für mailer: Xk29#kdLs", "Xk29#kdLs"],
    ["secret.password", "contraseña) es Xk29#kdLs", "Xk29#kdLs"],
    ["secret.password", "パスワード: #Xk29kdLs を", "#Xk29kdLs"],
    ["secret.password", '{"DB_PASSWORD":"Xk29#kdLs"}', "Xk29#kdLs"],
    ["secret.password", `cat /${"run-".repeat(20)}pwd\nXk29kdLs7q`, "Xk29kdLs7q"],
    [
      "secret.twilio",
      "twilio_auth_token=7bfc2b4d70c79b5a9749bf63a58c11f7",
      "7bfc2b4d70c79b5a9749bf63a58c11f7",
    ],
    [
      "secret.twilio",
      "| Twilio auth token | OpenAI secret API key |\n|---|---|\n| 7bfc2b4d70c79b5a9749bf63a58c11f7 | - |",
      "7bfc2b4d70c79b5a9749bf63a58c11f7",
    ],
    ["secret.password", 'let db_password: &str = "Xk29#kdLs";', "Xk29#kdLs"],
    ["personal.phone", "tel: 030 2345 6789", "030 2345 6789"],
    ["personal.ssn", "ssn 219097731", "219097731"],
    ["personal.ipv6", "peer 2a93:8e70:249c::44ef:9f9c up", "2a93:8e70:249c::44ef:9f9c"],
    ["personal.ipv6", "peer ::ffff:35.61.121.230 up", "::ffff:35.61.121.230"],
    ["personal.ipv6", "peer 0:0:0:0:0:ffff:35.61.121.230 up", "0:0:0:0:0:ffff:35.61.121.230"],
    ["personal.mac", "hw 7c:1f:00:26:07:6a up", "7c:1f:00:26:07:6a"],
    ["personal.iban", "to GB33 BUKB 2020 1555 5555 55 now", "GB33 BUKB 2020 1555 5555 55"],
    [
      "secret.bearer_header",
      "authorization: Bearer at_1fvDr4zmqzUTdrFH1xnx7",
      "Bearer at_1fvDr4zmqzUTdrFH1xnx7",
    ],
    ["secret.basic_header", "Authorization: Basic YW5uOnMzY3JldCE=", "Basic YW5uOnMzY3JldCE="],
    ["secret.basic_header", "-H 'authorization: basic OnMzY3JldA'", "basic OnMzY3JldA"],
    [
      "secret.azure_storage",
      `x=AccountName=a;AccountKey=${Buffer.alloc(64, 7).toString("base64")};`,
      `AccountName=a;AccountKey=${Buffer.alloc(64, 7).toString("base64")};`,
    ],
  ])("finds %s in: %s", (kind, text, value) => {
    expect(find(text).map((found) => [found.kind, text.slice(found.start, found.end)])).toEqual([
      [kind, value],
    ]);
  });

  it.each([
    ["with the line break of echo", Buffer.from("admin:Zk39sd!qP7\n")],
    ["in Latin-1", Buffer.from("zo\u00e9:geh\u00e9im9 und noch mehr", "latin1")],
    ["that begins like a placeholder", Buffer.from("deploy:my-token-93kd")],
    ["that begins with a dollar", Buffer.from("u:$ecretPass")],
    ["that begins with one sign often", Buffer.from("u:1111-kd93-ssK")],
    ["of many units", Buffer.from(`a:${"k9".repeat(60)}`)],
    ["of many units with padding", Buffer.from(`a:${"k9".repeat(61)}x`)],
  ])("finds a header with a password %s, in one line and in lines of 76", (_, credentials) => {
    const base64 = credentials.toString("base64");
    for (const lines of [base64, base64.replace(/(.{76})/g, "$1\n")]) {
      const header = `Basic ${lines}`;
      const text = `Authorization: ${header}\nConnection: close`;
      expect(find(text)).toEqual([
        { start: 15, end: 15 + header.length, kind: "secret.basic_header" },
      ]);
    }
  });

  it("finds a private key with its lines written as escapes, and one that was cut off", () => {
    const body = Buffer.concat([Buffer.from([0x30, 0x82]), Buffer.alloc(94, 5)]).toString("base64");
    const whole = `-----BEGIN PRIVATE KEY-----\\n${body}\\n-----END PRIVATE KEY-----`;
    expect(find(`"${whole}\\n"`)).toEqual([
      { start: 1, end: 1 + whole.length, kind: "secret.private_key" },
    ]);
    expect(find(whole.slice(0, 90)).map(({ kind }) => kind)).toEqual(["secret.private_key"]);
  });
});
