import type { JsonValue } from "@toolstile/core";
import { Draw, item, withCrc } from "./items.js";

/** An item as a text would have it, with the word that it needs, and the part of it that must not get out. */
export interface Planted {
  readonly kind: string;
  readonly phrase: string;
  readonly secret: string;
}

const digits = "0123456789";
const hex = "0123456789abcdef";
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const base64 = `${letters}${digits}+/`;

/** Makes an item of one of the kinds that `items.ts` does not have, or that need a word: `[what stands around, what must not get out]`. */
const makers: Readonly<Record<string, (draw: Draw) => readonly [string, string]>> = {
  "secret.aws_secret_access_key": (draw) =>
    after("aws_secret_access_key = ", `aB3${draw.text(37)}`),
  "secret.azure_storage": (draw) => {
    const key = `${draw.text(86, base64)}==`;
    const name = `AccountName=store${draw.text(4, digits)}`;
    const text = `DefaultEndpointsProtocol=https;${name};AccountKey=${key};EndpointSuffix=core.windows.net`;
    return [text, key];
  },
  "secret.basic_auth_url": (draw) => {
    const word = draw.text(16);
    return [`https://app:${word}@db-${draw.text(3, digits)}.internal/api`, word];
  },
  "secret.basic_header": (draw) => {
    const credentials = Buffer.from(`svc:${draw.text(16)}`).toString("base64");
    return after("Authorization: Basic ", credentials);
  },
  "secret.bearer_header": (draw) => after("Authorization: Bearer ", `7f${draw.text(38)}`),
  "secret.connection_string": (draw) => {
    const word = draw.text(16);
    return [`postgres://svc:${word}@db.internal:5432/orders`, word];
  },
  "secret.discord_bot": (draw) => {
    const id = Buffer.from(`1${draw.text(17, digits)}`).toString("base64url");
    return after("", `${id}.${draw.text(6)}.${draw.text(38)}`);
  },
  "secret.github_fine_grained": (draw) =>
    after("", `github_pat_${draw.text(22)}_${withCrc(draw.text(53))}`),
  "secret.google_oauth_secret": (draw) => after("", `GOCSPX-${draw.text(28)}`),
  "secret.huggingface": (draw) => after("", `hf_${draw.text(34, letters)}`),
  "secret.password": (draw) => after("password: ", `k9R${draw.text(15)}`),
  "secret.private_key": (draw) => {
    const key = Buffer.from([0x30, 0x82, ...Array.from({ length: 142 }, () => draw.below(256))]);
    const body = key.toString("base64").replace(/.{64}/g, "$&\n");
    return [`-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`, body];
  },
  "secret.service_token": (draw) => after("", `dop_v1_${draw.text(64, hex)}`),
  "secret.telegram_bot": (draw) =>
    after("", `${1 + draw.below(9)}${draw.text(8, digits)}:AA${draw.text(33)}`),
  "secret.twilio": (draw) => after("", `SK${draw.text(32, hex)}`),
  "personal.iban": (draw) => {
    const account = draw.text(18, digits);
    const check = 98n - (BigInt(`${account}131400`) % 97n);
    return after("", `DE${String(check).padStart(2, "0")}${account}`);
  },
  "personal.ipv4": (draw) => {
    const octet = () => 130 + draw.below(120);
    return after("", `21${draw.below(3)}.${octet()}.${octet()}.${octet()}`);
  },
  "personal.ipv6": (draw) =>
    after(
      "",
      `2a01:4f8:${draw.text(3, "123456789")}:${[1, 2, 3].map(() => `${1 + draw.below(9)}${draw.text(3, hex)}`).join(":")}::1`,
    ),
  "personal.mac": (draw) =>
    after(
      "",
      Array.from({ length: 6 }, () => draw.text(2, hex))
        .join(":")
        .replace(/^../, "3c"),
    ),
};

function after(word: string, item: string): readonly [string, string] {
  return [word + item, item];
}

const fromItems = [
  "secret.aws_access_key_id",
  "secret.github_token",
  "secret.npm_token",
  "secret.slack",
  "secret.stripe",
  "secret.google_api_key",
  "secret.openai",
  "secret.anthropic",
  "secret.sendgrid",
  "secret.gitlab_pat",
  "secret.jwt",
  "personal.card",
  "personal.email",
  "personal.ssn",
  "personal.phone",
];

export const plantedKinds: readonly string[] = [...fromItems, ...Object.keys(makers)];

/** So many items, of all kinds in turn. The same seed makes the same. None of them is anybody's. */
export function plantedItems(count: number, seed: number): readonly Planted[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = plantedKinds[index % plantedKinds.length] as string;
    const own = seed * 100_003 + index;
    const [phrase, secret] = makers[kind]?.(new Draw(own)) ?? after("", item(kind, own));
    return { kind, phrase, secret };
  });
}

/** The ways in which a phrase stands in a value. */
export const forms: Readonly<Record<string, (phrase: string) => JsonValue>> = {
  sentence: (phrase) => `Zoe wrote: ${phrase} (checked)`,
  nested: (phrase) => ({ rows: [{ note: { text: [1, phrase] } }] }),
  name: (phrase) => ({ [phrase]: true }),
  "JSON in text": (phrase) => JSON.stringify({ row: 1, note: phrase }),
  base64: (phrase) => Buffer.from(`row 1, note ${phrase} end`).toString("base64"),
  base64url: (phrase) => Buffer.from(`note ${phrase}\nend`).toString("base64url"),
  hexadecimal: (phrase) => Buffer.from(`note ${phrase} end`).toString("hex"),
  URL: (phrase) => `https://api.internal/find?q=${encodeURIComponent(phrase)}&page=2`,
  escapes: (phrase) =>
    `{"note":"${[...phrase].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"}`,
};
