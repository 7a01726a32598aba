import { crc32 } from "node:zlib";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Draws from a seed; the same seed draws the same. */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed >>> 0) + 0x9e3779b9;
  }

  below(most: number): number {
    this.#state = Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 13), 0x297a2d39);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % most;
  }

  of<Value>(values: ArrayLike<Value>): Value {
    return values[this.below(values.length)] as Value;
  }

  text(length: number, alphabet = base62): string {
    return Array.from({ length }, () => this.of(alphabet)).join("");
  }
}

/** Six digits of base 62 at the end: the check of GitHub's and npm's tokens. */
export function withCrc(body: string): string {
  let rest = crc32(body);
  let check = "";
  for (let index = 0; index < 6; index++) {
    check = base62.charAt(rest % 62) + check;
    rest = Math.floor(rest / 62);
  }
  return body + check;
}

function withLuhn(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits + ((10 - (sum % 10)) % 10);
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

const digits = "0123456789";
const upper32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Makes an item of a kind, whose structure is right. None of them is anybody's. */
const makers: Readonly<Record<string, (draw: Draw) => string>> = {
  "secret.aws_access_key_id": (draw) => `AKIA${draw.text(16, upper32)}`,
  "secret.github_token": (draw) => `ghp_${withCrc(draw.text(30))}`,
  "secret.npm_token": (draw) => `npm_${withCrc(draw.text(30))}`,
  "secret.slack": (draw) => `xoxb-${draw.text(12, "123456789")}-${draw.text(24)}`,
  "secret.stripe": (draw) => `sk_live_${draw.text(24)}`,
  "secret.google_api_key": (draw) => `AIza${draw.text(35)}`,
  "secret.openai": (draw) => `sk-${draw.text(20)}T3BlbkFJ${draw.text(20)}`,
  "secret.anthropic": (draw) => `sk-ant-api03-${draw.text(93)}AA`,
  "secret.sendgrid": (draw) => `SG.${draw.text(22)}.${draw.text(43)}`,
  "secret.gitlab_pat": (draw) => `glpat-${draw.text(20)}`,
  "secret.jwt": (draw) =>
    `${base64url({ alg: "HS256", typ: "JWT" })}.${base64url({ sub: draw.text(8) })}.${draw.text(43)}`,
  "secret.basic_auth_url": (draw) =>
    `https://app:${draw.text(16)}@db-${draw.text(3, digits)}.internal/api`,
  "secret.connection_string": (draw) => `postgres://svc:${draw.text(16)}@db.internal:5432/orders`,
  "secret.service_token": (draw) => `gsk_${draw.text(52)}`,
  "personal.card": (draw) => withLuhn(`4${draw.text(14, digits)}`),
  "personal.email": (draw) => `zoe.${draw.text(6, "abcdefghij")}@br${draw.text(5, "aeioulmn")}.de`,
  "personal.ssn": (draw) =>
    `${200 + draw.below(300)}-${10 + draw.below(80)}-${1000 + draw.below(8000)}`,
  "personal.ipv4": (draw) =>
    `${20 + draw.below(70)}.${draw.below(200)}.${draw.below(200)}.${1 + draw.below(200)}`,
  "personal.phone": (draw) => `+4930${draw.text(8, "23456789")}`,
};

export const kinds = Object.keys(makers);

export function item(kind: string, seed: number): string {
  return makers[kind]?.(new Draw(seed)) ?? "";
}
