/** The scores of a kind in the made-up texts of docs/redaction-scores.md. */
export interface PublishedScore {
  readonly kind: string;
  readonly items: number;
  /** Shares from 0 to 1. */
  readonly recall: number;
  readonly precision: number;
}

/** Made by benchmarks/redact/scores.mjs. */
export const publishedScores: readonly PublishedScore[] = [
  { kind: "secret.anthropic", items: 227, recall: 1, precision: 1 },
  { kind: "secret.aws_access_key_id", items: 232, recall: 1, precision: 1 },
  { kind: "secret.aws_secret_access_key", items: 227, recall: 0.978, precision: 1 },
  { kind: "secret.azure_storage", items: 232, recall: 1, precision: 1 },
  { kind: "secret.basic_auth_url", items: 229, recall: 1, precision: 1 },
  { kind: "secret.bearer_header", items: 208, recall: 1, precision: 1 },
  { kind: "secret.connection_string", items: 235, recall: 1, precision: 1 },
  { kind: "secret.discord_bot", items: 238, recall: 1, precision: 1 },
  { kind: "secret.github_fine_grained", items: 231, recall: 1, precision: 1 },
  { kind: "secret.github_token", items: 226, recall: 1, precision: 1 },
  { kind: "secret.gitlab_pat", items: 226, recall: 1, precision: 1 },
  { kind: "secret.google_api_key", items: 231, recall: 1, precision: 1 },
  { kind: "secret.google_oauth_secret", items: 231, recall: 1, precision: 1 },
  { kind: "secret.huggingface", items: 230, recall: 1, precision: 1 },
  { kind: "secret.jwt", items: 228, recall: 1, precision: 1 },
  { kind: "secret.npm_token", items: 231, recall: 1, precision: 1 },
  { kind: "secret.openai", items: 229, recall: 1, precision: 1 },
  { kind: "secret.password", items: 230, recall: 0.987, precision: 1 },
  { kind: "secret.private_key", items: 208, recall: 1, precision: 1 },
  { kind: "secret.sendgrid", items: 225, recall: 1, precision: 1 },
  { kind: "secret.slack", items: 231, recall: 1, precision: 1 },
  { kind: "secret.stripe", items: 226, recall: 1, precision: 1 },
  { kind: "secret.telegram_bot", items: 226, recall: 1, precision: 1 },
  { kind: "secret.twilio", items: 230, recall: 0.987, precision: 1 },
  { kind: "personal.card", items: 231, recall: 0.9957, precision: 1 },
  { kind: "personal.email", items: 222, recall: 1, precision: 1 },
  { kind: "personal.iban", items: 229, recall: 1, precision: 1 },
  { kind: "personal.ipv4", items: 230, recall: 1, precision: 1 },
  { kind: "personal.ipv6", items: 228, recall: 1, precision: 1 },
  { kind: "personal.mac", items: 224, recall: 1, precision: 1 },
  { kind: "personal.phone", items: 225, recall: 1, precision: 1 },
  { kind: "personal.ssn", items: 230, recall: 0.9957, precision: 1 },
];
