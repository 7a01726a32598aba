import { describe, expect, it } from "vitest";
import { redactor } from "../src/index.js";
import { Draw, withCrc } from "./items.js";

const { find } = redactor();
const draw = new Draw(11);
const digits = "0123456789";
const hex = "0123456789abcdef";
const small = `${digits}abcdefghijklmnopqrstuvwxyz`;
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const base64 = `${letters}${digits}+/`;
const capitals = `${digits}ABCDEFGHJKMNPQRSTVWXYZ`;
const jwt = [{ alg: "RS256" }, { iss: "brawyn", iat: 1_780_000_000 }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .join(".");

/** What is found, with its kind. */
function foundIn(text: string): readonly (readonly [string, string])[] {
  return find(text).map(({ start, end, kind }) => [kind, text.slice(start, end)]);
}

describe("a token is found by its structure alone", () => {
  const tokens: readonly (readonly [kind: string, token: string])[] = [
    ["secret.github_token", `ghr_${withCrc(draw.text(70))}`],
    ["secret.github_token", `ghs_1234567_${jwt}.${draw.text(342)}`],
    ["secret.github_fine_grained", `github_pat_11${draw.text(20, capitals)}_${draw.text(59)}`],
    ["secret.gitlab_pat", `glpat-${draw.text(27)}.01.${draw.text(9, small)}`],
    ["secret.gitlab_pat", `glpat-${draw.text(36)}.0w${draw.text(7, small)}`],
    ["secret.gitlab_pat", `glrt-t1_${draw.text(27)}.01.${draw.text(9, small)}`],
    ...["gldt", "glffct", "glft", "glptt", "glrt", "glrtr", "glsoat", "glwt"].map(
      (prefix) => ["secret.gitlab_pat", `${prefix}-${draw.text(20)}`] as const,
    ),
    ["secret.gitlab_pat", `glagent-${draw.text(50)}`],
    ["secret.gitlab_pat", `glcbt-64_${draw.text(20)}`],
    ["secret.gitlab_pat", `glimt-${draw.text(25)}`],
    ["secret.gitlab_pat", `gloas-${draw.text(64, hex)}`],
    ["secret.gitlab_pat", `glptt-${draw.text(40, hex)}`],
    [
      "secret.slack",
      `xoxc-${[12, 12, 13].map((length) => draw.text(length, digits)).join("-")}-${draw.text(64, hex)}`,
    ],
    ["secret.slack", `xoxe.xoxp-1-${draw.text(166)}`],
    [
      "secret.slack",
      `https://hooks.slack.com/triggers/T0${draw.text(9, capitals)}/${draw.text(13, digits)}/${draw.text(32, hex)}`,
    ],
    ["secret.stripe", `sk_test_51${draw.text(97)}`],
    ["secret.stripe", `rk_test_${draw.text(24)}`],
    ["secret.stripe", `whsec_${draw.text(32)}`],
    ["secret.connection_string", "jdbc:oracle:thin:scott/Zx81klo9qK@h"],
    ["secret.connection_string", 'jdbc:oracle:thin:scott/"Zx@81.klo"@//db.internal:1521/orders'],
  ];
  const ofServices = [
    `ops_eyJ${draw.text(300, base64)}`,
    `A3-${[6, 11, 5, 5, 5].map((length) => draw.text(length, capitals)).join("-")}`,
    `A3-${[6, 6, 5, 5, 5, 5].map((length) => draw.text(length, capitals)).join("-")}`,
    `AGE-SECRET-KEY-1${draw.text(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")}`,
    `pat${draw.text(14)}.${draw.text(64, hex)}`,
    `AKCp${draw.text(69)}`,
    `cmVmd${draw.text(59)}`,
    `ATATT3${draw.text(186)}`,
    `ABSK${draw.text(128, base64)}`,
    `xkeysib-${draw.text(64, hex)}-${draw.text(16)}`,
    `bkua_${draw.text(40, hex)}`,
    `CCIPAT_${draw.text(22, "ABCDEFGHkmnp23456789")}_${draw.text(40, hex)}`,
    `cfut_${draw.text(40)}${draw.text(8, hex)}`,
    `v1.0-${draw.text(24, hex)}-${draw.text(146, hex)}`,
    `dapi${draw.text(32, hex)}-2`,
    `dop_v1_${draw.text(64, hex)}`,
    `dckr_pat_${draw.text(27)}`,
    `dckr_oat_${draw.text(32)}`,
    `ya29.${draw.text(180)}`,
    `dp.st.prd_eu.${draw.text(43)}`,
    `dt0c01.${draw.text(24, capitals)}.${draw.text(64, capitals)}`,
    `figd_${draw.text(40)}`,
    `fo1_${draw.text(43)}`,
    `fm2_${draw.text(200, base64)}==`,
    `glc_${draw.text(120, base64)}=`,
    `glsa_${draw.text(32)}_${draw.text(8, hex)}`,
    `gsk_${draw.text(52)}`,
    `hvs.${draw.text(95)}`,
    `hvs.${draw.text(24)}`,
    `hvb.${draw.text(160)}`,
    `HRKU-AA${draw.text(58)}`,
    `lin_api_${draw.text(40)}`,
    `NRAK-${draw.text(27, capitals)}`,
    `NRII-${draw.text(32)}`,
    `ntn_${draw.text(11, digits)}${draw.text(35)}`,
    `secret_${draw.text(43)}`,
    `sk-or-v1-${draw.text(64, hex)}`,
    `pplx-${draw.text(48)}`,
    `pscale_tkn_${draw.text(43)}`,
    `PMAK-${draw.text(24, hex)}-${draw.text(34, hex)}`,
    `pul-${draw.text(40, hex)}`,
    `pypi-AgEIcHlwaS5vcmc${draw.text(150)}`,
    `r8_${draw.text(37)}`,
    `rubygems_${draw.text(48, hex)}`,
    `sntryu_${draw.text(64, hex)}`,
    `sntrys_eyJ${draw.text(150, base64)}=_${draw.text(43, base64)}`,
    `shpat_${draw.text(32, hex)}`,
    `sq0csp-${draw.text(43)}`,
    `EAAA${draw.text(60)}`,
    `sbp_${draw.text(40, hex)}`,
    `sb_secret_${draw.text(22)}_${draw.text(8)}`,
    `tskey-auth-${draw.text(17)}-${draw.text(32)}`,
    `xai-${draw.text(80)}`,
    `${draw.text(3)}8Q~${draw.text(34)}`,
    `${draw.text(14)}.atlasv1.${draw.text(67)}`,
  ].map((token) => ["secret.service_token", token] as const);

  it.each([...tokens, ...ofServices].map(([kind, token]) => [kind, token.slice(0, 9), token]))(
    "%s: %s…",
    (kind, _, token) => {
      for (const text of [token, `X="${token}"`, `is ${token}, and`, `＝${token}，`])
        expect(foundIn(text)).toEqual([[kind, token]]);
      if (kind === "secret.service_token")
        expect(foundIn(`It is ${token}.`)).toEqual([[kind, token]]);
      expect(foundIn(`x${token}`).map(([kind]) => kind)).not.toContain("secret.service_token");
    },
  );
});

describe("a key of a cloud is found", () => {
  const id = `AKIA${draw.text(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`;
  const secret = `aB3/${draw.text(36, base64)}`;
  const storage = `aB3${draw.text(83, base64)}==`;
  const shared = `aB3${draw.text(40, base64)}=`;
  const token = `7f3${draw.text(29, hex)}`;
  const account = `AC${draw.text(32, hex)}`;

  it.each([
    `access_key = "${id}"\n  secret_key = "%"`,
    `${id},%`,
    `${id}:%`,
    `BasicAWSCredentials("${id}", "%")`,
    "app.aws.secret.access.key=%",
    "S3_SECRET_KEY=%",
    "fs.s3a.secret.key=%",
    "awsSecretKey: '%'",
  ])("of AWS, by its id or a word before it: %s", (text) => {
    const found = foundIn(text.replace("%", () => secret));
    expect(found).toContainEqual(["secret.aws_secret_access_key", secret]);
  });

  it("of AWS only near to its id, and only if it looks like one", () => {
    for (const text of [
      `${id}${" .".repeat(60)} ${secret}`,
      `${id},${draw.text(40, hex)}`,
      `AKIAIOSFODNN7EXAMPLE,${secret}`,
      secret,
    ])
      expect(foundIn(text).map(([kind]) => kind)).not.toContain("secret.aws_secret_access_key");
  });

  it.each([
    ["AccountKey=%", storage],
    ["AZURE_STORAGE_KEY=%", storage],
    ['"accountKey":"%"', storage],
    ["az storage blob list --account-key %", storage],
    ["AccountEndpoint=https://x.documents.azure.com:443/;AccountKey=%;", storage],
    ['new StorageSharedKeyCredential(name, "%")', storage],
    ["SharedAccessKey=%’", shared],
    ['"keyName": "key1",\n  "permissions": "FULL",\n  "value": "%"', storage],
    [
      "KeyName    Permissions    Value\n---------  -------------  -----\nkey1       FULL           %",
      storage,
    ],
    ['{"primaryMasterKey": "%"}', storage],
    ['"symmetricKey": { "primaryKey": "%" }', shared],
    ["HostName=x.azure-devices.net;SharedAccessKeyName=owner;SharedAccessKey=%", shared],
  ])("of Azure behind a word for it: %s", (text, key) => {
    const found = foundIn(text.replace("%", () => key));
    expect(found).toEqual([["secret.azure_storage", key]]);
  });

  it("of Azure not without a word for it, nor at another length", () => {
    expect(foundIn(`key=${storage}`)).toEqual([]);
    expect(foundIn(`AccountKey=${storage.slice(1)}`)).toEqual([]);
    expect(foundIn(`AccountKey=${storage.slice(0, -1)}`)).toEqual([]);
  });

  it.each(["Client('%', '#')", "account_sid=%\nauth_token=#"])(
    "of Twilio beside its account: %s",
    (text) => {
      const found = foundIn(text.replace("%", account).replace("#", token));
      expect(found).toEqual([["secret.twilio", token]]);
      expect(foundIn(text.replace("%", account.slice(1)).replace("#", token))).toEqual([]);
    },
  );
});

describe("a `_` beside an item", () => {
  const id = `AKIA${draw.text(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`;

  it.each([
    [`_${id}_`, id],
    [`old_key_${id}`, id],
    [`__${id}__`, id],
    ["_5018083346444446_", "5018083346444446"],
    ["from _81.2.69.142_", "81.2.69.142"],
    ["call _+49 151 23456789_ now", "+49 151 23456789"],
    ["to _DE89370400440532013000_", "DE89370400440532013000"],
  ])("emphasises it, or parts a key from a name: %s", (text, item) => {
    expect(foundIn(text).map(([, found]) => found)).toEqual([item]);
  });

  it.each([
    "export_5018083346444446",
    "5018083346444446_old",
    "_5018083346444446_2",
    "a_81.2.69.142",
  ])("parts no number from a name: %s", (text) => {
    expect(foundIn(text)).toEqual([]);
  });
});

describe("a token of an app at X", () => {
  it("is found behind its word, though it begins with many of one letter", () => {
    const header = `Bearer ${"A".repeat(22)}${draw.text(20)}%2B${draw.text(70)}`;
    expect(foundIn(`Authorization: ${header}`)).toEqual([["secret.bearer_header", header]]);
  });
});

describe("what everybody may know is not found", () => {
  it.each([
    "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
    "mysql://root:root@127.0.0.1/test",
    "postgres://postgres:postgres@localhost:5432/x",
    "jdbc:oracle:thin:scott/<password>@h",
    "jdbc:oracle:thin:@db.internal:1521/orders",
    `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c`,
  ])("%s", (text) => {
    expect(foundIn(text)).toEqual([]);
  });

  it("but a user's name as the password of another machine is", () => {
    const address = "mysql://root:root@db.internal/test";
    expect(foundIn(address)).toEqual([["secret.connection_string", address]]);
  });
});
