import { asciiDigitsAndLetters } from "../text/classes.js";
import { continuesAfter, continuesBefore } from "../text/marks.js";
import { type Detector, isFilledUp, shaped } from "./detector.js";

const kind = "secret.service_token";

function token(anchors: readonly string[], shape: RegExp): Detector {
  return shaped({ kind, anchors, shape });
}

/*
 * Tokens of one service each, by a prefix of its own, a length and an alphabet, which decide alone. They are facts of the
 * public rules of gitleaks (config/gitleaks.toml, b58d3f1 of 2026-07-22) and of Kingfisher (data/rules, ee7c0db of
 * 2025-06-20), and where so said of the service's own pages. What these rules find only beside a service's name is not here.
 */
export const serviceTokens: readonly Detector[] = [
  // 1Password: a service account; a key of an account.
  token(["ops_eyJ"], /ops_eyJ[A-Za-z0-9+/]{250,1200}={0,3}/y),
  token(["A3-"], /A3-[A-Z0-9]{6}-[A-Z0-9]{6}-?[A-Z0-9]{5}(?:-[A-Z0-9]{5}){3}/y),
  // age
  token(["AGE-SECRET-KEY-1"], /AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/y),
  // Airtable
  token(["pat"], /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/y),
  // Artifactory
  token(["AKCp", "cmVmd"], /AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59}/y),
  // Atlassian
  token(["ATATT3"], /ATATT3[\w=-]{186}/y),
  // Bedrock
  token(["ABSK"], /ABSK[A-Za-z0-9+/]{109,269}={0,2}/y),
  // Brevo
  token(["xkeysib-"], /xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}/y),
  // Buildkite
  token(["bkua_"], /bkua_[a-z0-9]{40}/y),
  // CircleCI, "New format for API access tokens": a UUID in base 58, and 40 hexadecimal digits.
  token(["CCIPAT_", "CCIPRJ_"], /CCIP(?:AT|RJ)_[1-9A-HJ-NP-Za-km-z]{20,24}_[a-f0-9]{40}/y),
  // Cloudflare, "Token formats": 40 and a check; and the key of its Origin CA.
  token(["cfk_", "cfut_", "cfat_"], /cf(?:k|ut|at)_[A-Za-z0-9]{40}[a-f0-9]{8}/y),
  token(["v1.0-"], /v1\.0-[a-f0-9]{24}-[a-f0-9]{146}/y),
  // Databricks
  token(["dapi"], /dapi[a-f0-9]{32}(?:-\d)?/y),
  // DigitalOcean
  token(["doo_v1_", "dop_v1_", "dor_v1_"], /do[opr]_v1_[a-f0-9]{64}/y),
  // Docker Hub
  token(["dckr_pat_", "dckr_oat_"], /dckr_(?:pat_[\w-]{27}|oat_[\w-]{32})(?!-)/y),
  // Doppler
  token(["dp."], /dp\.(?:audit|ct|pt|sa|scim|st(?:\.[a-z0-9_-]{2,35})?)\.[A-Za-z0-9]{40,44}/y),
  // Dynatrace
  token(["dt0c01."], /dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}/y),
  // Figma
  token(["figd_"], /figd_[\w-]{40}(?!-)/y),
  // Fly.io
  token(["fo1_"], /fo1_[\w-]{43}(?!-)/y),
  token(["fm1a_", "fm1r_", "fm2_"], /fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,1200}={0,3}/y),
  // Google: an access token of OAuth.
  token(["ya29."], /ya29\.[\w-]{40,2048}(?!-)/y),
  // Grafana
  token(["glc_"], /glc_[A-Za-z0-9+/]{32,400}={0,3}/y),
  token(["glsa_"], /glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}/y),
  // Groq
  token(["gsk_"], /gsk_[A-Za-z0-9]{52}/y),
  // HashiCorp: Vault, whose root token is short, and Terraform below.
  token(["hvs.", "hvb."], /hv(?:s\.(?:[\w-]{90,120}|[A-Za-z0-9]{24})|b\.[\w-]{138,300})(?!-)/y),
  // Heroku
  token(["HRKU-AA"], /HRKU-AA[\w-]{58}(?!-)/y),
  // Linear
  token(["lin_api_"], /lin_api_[A-Za-z0-9]{40}/y),
  // New Relic: of a user, and for ingestion.
  token(["NRAK-", "NRII-"], /NR(?:AK-[A-Z0-9]{27}|II-[\w-]{32}(?!-))/y),
  // Notion; before 2024-09 they began with `secret_`.
  token(["ntn_", "secret_"], /ntn_\d{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43}/y),
  // OpenRouter
  token(["sk-or-v1-"], /sk-or-v1-[a-f0-9]{64}/y),
  // Perplexity
  token(["pplx-"], /pplx-[A-Za-z0-9]{48}/y),
  // PlanetScale
  token(["pscale_"], /pscale_(?:tkn|oauth|pw)_[\w=.-]{31,63}[\w=-]/y),
  // Postman
  token(["PMAK-"], /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/y),
  // Pulumi
  token(["pul-"], /pul-[a-f0-9]{40}/y),
  // PyPI, "Creating an API token": a macaroon, which begins with the name of its index.
  token(["pypi-AgE"], /pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZw)[\w-]{50,1000}/y),
  // Replicate
  token(["r8_"], /r8_[A-Za-z0-9]{37}/y),
  // RubyGems
  token(["rubygems_"], /rubygems_[a-f0-9]{48}/y),
  // Sentry: of a user, of an organisation.
  token(["sntryu_"], /sntryu_[a-f0-9]{64}/y),
  token(["sntrys_eyJ"], /sntrys_eyJ[A-Za-z0-9+/]{40,500}={0,2}_[A-Za-z0-9+/]{43}/y),
  // Shopify
  token(["shpat_", "shpca_", "shppa_", "shpss_"], /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/y),
  // Square
  token(["sq0atp-", "sq0csp-"], /sq0(?:atp-[\w-]{22}|csp-[\w-]{43})(?!-)/y),
  token(["EAAA"], /EAAA(?=[\w-]{0,58}\d)(?=[\w-]{0,58}[a-z])[\w-]{60}(?!-)/y),
  // Supabase: of a user, of a project.
  token(["sbp_"], /sbp_[a-f0-9]{40}/y),
  token(["sb_secret_"], /sb_secret_[\w-]{22}_[\w-]{8}(?!-)/y),
  // Tailscale
  token(["tskey-"], /tskey-[a-z]{2,12}-[A-Za-z0-9]{10,20}-[A-Za-z0-9]{20,64}/y),
  // xAI
  token(["xai-"], /xai-[A-Za-z0-9]{80}/y),
  // Microsoft Entra ID: a client secret has 40 signs, of which `Q~` stand behind the fourth.
  inner("~", /[\w.~-]{3}\dQ~[\w.~-]{31,34}(?![\w-]|~(?!~)|\.[\w~-])/y, 5),
  // Terraform
  inner(".atlasv1.", /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}(?!-)/y, 14),
];

/** Tokens that have their literal so many units behind their beginning. */
function inner(anchor: string, shape: RegExp, offset: number): Detector {
  return {
    kind,
    anchors: [anchor],
    next: `${asciiDigitsAndLetters}_.~-`,
    atAnchor(source, at, before) {
      const start = at - offset;
      if (start < 0 || continuesBefore(source, start)) return undefined;
      shape.lastIndex = start;
      if (!shape.test(source.text)) return undefined;
      const end = shape.lastIndex;
      if (!continuesAfter(source, end) && !isFilledUp(source.text.slice(start, end)))
        return { start, end };
      before.doubt(at, start, end);
      return undefined;
    },
  };
}
