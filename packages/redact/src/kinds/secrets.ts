import { asciiDigitsAndLetters, isDigitCode } from "../text/classes.js";
import { continuesAfter, continuesBefore } from "../text/marks.js";
import type { Source } from "../text/source.js";
import { endsWithCrc, passwordInBase64 } from "./checks.js";
import { cloudKeys } from "./cloud-keys.js";
import { type Detector, isFilledUp, shaped } from "./detector.js";
import { publishedKeys } from "./facts.js";
import { isSigned, jwt } from "./jwt.js";
import { isWholePlaceholder } from "./placeholder.js";
import { privateKey } from "./private-key.js";
import { serviceTokens } from "./service-tokens.js";
import { credentials } from "./urls.js";

const gitlabPrefixes =
  "glagent- glcbt- gldt- glffct- glft- glimt- gloas- glpat- glptt- glrt- glrtr- glsoat- glwt-".split(
    " ",
  );
/** 20 or more by kind, or a route, its length and a check (GitLab's handbook, "Routable tokens"). */
const gitlabToken =
  /gl(?:[a-z]{2,5}-(?:t\d_)?[\w-]{27,300}\.[0-9a-z]{2}\.?[0-9a-z]{7,9}|ptt-[0-9a-f]{40}|(?:dt|ffct|ft|pat|ptt|rtr?|soat|wt)-(?:t\d_)?[\w-]{20}|cbt-[0-9A-Za-z]{1,5}_[\w-]{20}|imt-[\w-]{25}|agent-[\w-]{50}|oas-[\w-]{64})(?!-)/y;

/*
 * Prefixes, lengths and check digits are the vendors' own (GitHub's blog of 2021-04-05 on token formats, npm's of
 * 2021-09-23, RFC 7515 for JWT, RFC 6750 for bearer tokens, RFC 7617 for basic ones) or stand in the public rules of gitleaks and secretlint.
 */
export const secrets: readonly Detector[] = [
  ...cloudKeys,
  // 36 with a check at their end, a refresh token 76.
  shaped({
    kind: "secret.github_token",
    anchors: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    shape: /gh[pousr]_(?:[A-Za-z0-9]{76}|[A-Za-z0-9]{36})/y,
    valid: (token) => endsWithCrc(token.slice(4)),
  }),
  // Of an installation of an app since 2026: the app's number and a JWT (GitHub's changelog of 2026-04-24).
  shaped({
    kind: "secret.github_token",
    anchors: ["ghs_"],
    shape: /ghs_\d{1,12}_eyJ[\w-]{10,256}\.[\w-]{4,1024}\.[\w-]{16,512}/y,
    valid(token) {
      const [header = "", claims = ""] = token.slice(token.indexOf("eyJ")).split(".");
      return isSigned(header, claims);
    },
  }),
  // No check is documented.
  shaped({
    kind: "secret.github_fine_grained",
    anchors: ["github_pat_"],
    shape: /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/y,
  }),
  shaped({
    kind: "secret.npm_token",
    anchors: ["npm_"],
    shape: /npm_[A-Za-z0-9]{36}/y,
    valid: (token) => endsWithCrc(token.slice(4)),
  }),
  shaped({
    kind: "secret.slack",
    anchors: ["xox", "xapp-"],
    shape:
      /(?:(?:xoxe\.)?xox[abceoprs]-(?:\d{1,20}-){0,3}[A-Za-z0-9]{16,180}|xapp-\d-[A-Z0-9]{8,16}-\d{8,16}-[a-f0-9]{64})(?!-)/y,
  }),
  shaped({
    kind: "secret.slack",
    anchors: ["https://hooks.slack.com/"],
    shape:
      /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[TA][A-Z0-9]{7,12}\/[A-Z0-9]{8,18}\/[A-Za-z0-9/]{18,64}/y,
  }),
  // A key for tests opens the account's tests.
  shaped({
    kind: "secret.stripe",
    anchors: ["sk_live_", "rk_live_", "sk_test_", "rk_test_"],
    shape: /[sr]k_(?:live|test)_[A-Za-z0-9]{24,247}/y,
    valid: (key) => !isFilledUp(key) && !publishedKeys.has(key),
  }),
  // The secret of a webhook; other services have the same (Standard Webhooks, "Signature scheme").
  shaped({
    kind: "secret.stripe",
    anchors: ["whsec_"],
    shape: /whsec_[A-Za-z0-9+/]{32,88}={0,2}/y,
  }),
  shaped({
    kind: "secret.google_api_key",
    anchors: ["AIza"],
    shape: /AIza[\w-]{35}(?!-)/y,
  }),
  shaped({
    kind: "secret.google_oauth_secret",
    anchors: ["GOCSPX-"],
    shape: /GOCSPX-[\w-]{28}(?!-)/y,
  }),
  shaped({
    kind: "secret.openai",
    anchors: ["sk-"],
    shape: /sk-(?:(?:proj|svcacct|admin|service)-)?[\w-]{20,200}?T3BlbkFJ[\w-]{20,200}/y,
  }),
  shaped({
    kind: "secret.anthropic",
    anchors: ["sk-ant-"],
    shape: /sk-ant-[a-z]{3,8}\d\d-[\w-]{80,120}/y,
  }),
  privateKey,
  jwt,
  shaped({
    kind: "secret.bearer_header",
    anchors: ["bearer "],
    anyCase: true,
    mayBeOther: true,
    shape: /bearer {1,3}(?:A{18,24}[\w%]{60,160}|[\w.~+/-]{16,4096}={0,2})/iy,
    // Those of apps at X begin with zeros.
    valid: (header) =>
      /\d/.test(header) &&
      /[a-z]/i.test(header.slice(7)) &&
      !isFilledUp(header.replace(/ A{18,24}(?=[\w%]{60})/, " ")),
  }),
  shaped({
    kind: "secret.basic_header",
    anchors: ["basic "],
    anyCase: true,
    mayBeOther: true,
    shape: /basic {1,3}[A-Za-z0-9+/]{6,1024}={0,2}/iy,
    valid: isBasicHeader,
  }),
  // The same in lines, as tools write base64.
  shaped({
    kind: "secret.basic_header",
    anchors: ["basic "],
    anyCase: true,
    mayBeOther: true,
    shape:
      /basic {1,3}(?:[A-Za-z0-9+/]{60,76}\r?\n){1,16}[A-Za-z0-9+/]{1,76}={0,2}(?=["'`\s\\]|$)/iy,
    valid: isBasicHeader,
  }),
  ...credentials,
  shaped({
    kind: "secret.sendgrid",
    anchors: ["SG."],
    shape: /SG\.[\w-]{22}\.[\w-]{43}(?!-)/y,
  }),
  // GitLab, "Token prefixes": of persons, deployments, runners, jobs, triggers, feeds, mail, agents, SCIM, flags, applications.
  shaped({
    kind: "secret.gitlab_pat",
    anchors: gitlabPrefixes,
    shape: gitlabToken,
  }),
  shaped({
    kind: "secret.huggingface",
    anchors: ["hf_"],
    shape: /hf_[A-Za-z]{34}/y,
  }),
  {
    kind: "secret.telegram_bot",
    anchors: [":AA"],
    atAnchor(source, at) {
      const { units } = source;
      let start = at;
      while (start > 0 && at - start < 11 && isDigitCode(units[start - 1] as number)) start -= 1;
      if (at - start < 8 || at - start > 10) return undefined;
      if (continuesBefore(source, start) && !source.text.startsWith("bot", start - 3))
        return undefined;
      return ended(/:AA[\w-]{33}(?!-)/y, source, at, start);
    },
  },
  {
    kind: "secret.discord_bot",
    anchors: ["."],
    next: `${asciiDigitsAndLetters}_-`,
    atAnchor(source, at) {
      if (source.units[at + 7] !== 46) return undefined;
      const start = discordStart(source, at);
      return start === undefined
        ? undefined
        : ended(/\.[\w-]{6}\.[\w-]{27,38}(?!-)/y, source, at, start);
    },
  },
  ...serviceTokens,
];

function ended(shape: RegExp, source: Source, at: number, start: number) {
  shape.lastIndex = at;
  if (!shape.test(source.text)) return undefined;
  const end = shape.lastIndex;
  return continuesAfter(source, end) ? undefined : { start, end };
}

/** The bot's id in base64 ends at `at`: a Discord snowflake of 17 to 20 digits. */
function discordStart(source: Source, at: number): number | undefined {
  for (const length of discordLengths) {
    const start = at - length;
    if (start < 0) continue;
    const first = source.units[start] as number;
    if (first < 77 || first > 79 || continuesBefore(source, start)) continue;
    const id = source.text.slice(start, at);
    // Signs that are none of base64 would be passed over.
    if (/[^\w-]/.test(id)) continue;
    if (/^\d{17,20}$/.test(Buffer.from(id, "base64url").toString("latin1"))) return start;
  }
  return undefined;
}

const discordLengths = [24, 26, 23, 27];

function isBasicHeader(header: string): boolean {
  const password = passwordInBase64(header.slice(5).replace(/\s+/g, ""));
  return password !== undefined && !isWholePlaceholder(password);
}
