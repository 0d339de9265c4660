/**
 * Tokens that show by the prefix of a provider what they are. Pure.
 *
 * A provider is a row: its class, what the rest of a token is made of, how long that is at least, and
 * the prefixes. A token ends only where its alphabet ends, so lengths are lower limits.
 *
 * @module
 */

import type { Rule } from "./rule.ts";

/** What the rest of a token is made of: in a pattern, and in an example. */
const ALPHABETS = {
  alnum: ["A-Za-z0-9", "an"],
  upper: ["A-Z0-9", "up"],
  lower: ["a-z0-9", "low"],
  hex: ["A-Fa-f0-9", "hex"],
  word: ["A-Za-z0-9_-", "b64u"],
  dotted: ["A-Za-z0-9_.-", "b64u"],
  base64: ["A-Za-z0-9+/=_-", "b64u"],
  any: ["A-Za-z0-9_.~+/=:|!-", "b64u"],
} as const;

type Alphabet = keyof typeof ALPHABETS;

type Row = readonly [kind: string, rest: Alphabet, least: number, ...prefixes: string[]];

const LONGEST_JUDGED = 256;
/** At the end of a text a token may be cut short, and then what is left tells by its prefix. */
const LEAST_CUT_SHORT = 6;

const ROWS: readonly Row[] = [
  ["aws-access-key", "upper", 16, "AKIA", "ASIA", "ABIA", "ACCA"],
  ["aws-access-key", "upper", 17, "A3T"],
  ["aws-access-key", "base64", 100, "ABSK"],
  ["aws-access-key", "base64", 20, "bedrock-api-key-"],
  ["github-token", "alnum", 30, "ghp_", "gho_", "ghu_", "ghr_"],
  ["github-token", "dotted", 30, "ghs_"],
  ["github-token", "word", 40, "github_pat_"],
  [
    "gitlab-token",
    "dotted",
    18,
    "glpat-",
    "gldt-",
    "glrt-",
    "glrtr-",
    "glcbt-",
    "glptt-",
    "glft-",
    "glsoat-",
    "gloas-",
    "glagent-",
    "glimt-",
    "glffct-",
    "glwt-",
  ],
  ["gitlab-token", "word", 18, "GR1348941"],
  [
    "slack-token",
    "word",
    20,
    "xoxb-",
    "xoxp-",
    "xoxa-",
    "xoxr-",
    "xoxs-",
    "xoxo-",
    "xoxc-",
    "xoxe-",
    "xoxe.xoxp-",
    "xoxe.xoxb-",
    "xapp-",
    "xwfp-",
  ],
  ["slack-token", "any", 20, "xoxd-"],
  [
    "stripe-key",
    "alnum",
    16,
    "sk_live_",
    "sk_test_",
    "rk_live_",
    "rk_test_",
    "pk_live_",
    "pk_test_",
    "sk_prod_",
    "rk_prod_",
  ],
  ["stripe-key", "word", 16, "sk_org_"],
  ["stripe-key", "base64", 20, "whsec_"],
  ["anthropic-key", "word", 20, "sk-ant-"],
  ["openai-key", "word", 20, "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-", "sk-"],
  ["openai-key", "alnum", 36, "sess-"],
  ["openrouter-key", "word", 20, "sk-or-"],
  ["langsmith-key", "word", 20, "lsv2_pt_", "lsv2_sk_"],
  ["langsmith-key", "alnum", 24, "ls__"],
  ["langfuse-key", "word", 20, "sk-lf-", "pk-lf-"],
  ["google-api-key", "word", 33, "AIza"],
  ["google-api-key", "word", 30, "AQ.Ab"],
  ["google-oauth", "word", 20, "GOCSPX-"],
  ["google-oauth", "dotted", 20, "ya29."],
  ["google-oauth", "word", 24, "1//0"],
  ["google-oauth", "upper", 40, "GOOG1E"],
  ["google-oauth", "upper", 20, "GOOG"],
  ["npm-token", "alnum", 30, "npm_"],
  ["pypi-token", "word", 20, "pypi-AgEI"],
  ["pypi-token", "word", 40, "pypi-"],
  ["rubygems-key", "hex", 32, "rubygems_"],
  ["crates-token", "alnum", 32, "cio"],
  ["nuget-key", "lower", 43, "oy2"],
  ["clojars-token", "lower", 40, "CLOJARS_"],
  ["hex-key", "alnum", 32, "hex_"],
  ["packagist-token", "word", 30, "packagist_"],
  ["docker-token", "word", 20, "dckr_pat_", "dckr_oat_"],
  ["quay-token", "alnum", 30, "quay_"],
  ["huggingface-token", "alnum", 28, "hf_"],
  ["huggingface-token", "alnum", 30, "api_org_"],
  ["sendgrid-key", "dotted", 40, "SG."],
  ["twilio-key", "hex", 32, "SK"],
  ["shopify-token", "alnum", 28, "shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shptka_"],
  ["digitalocean-token", "alnum", 40, "dop_v1_", "doo_v1_", "dor_v1_", "dp_v1_"],
  ["databricks-token", "hex", 30, "dapi", "dose", "dkea"],
  ["linear-key", "alnum", 30, "lin_api_", "lin_oauth_"],
  ["linear-key", "alnum", 24, "lin_wh_"],
  ["notion-token", "alnum", 40, "secret_"],
  ["notion-token", "alnum", 36, "ntn_"],
  ["sentry-token", "base64", 30, "sntrys_"],
  ["sentry-token", "hex", 40, "sntryu_", "sntrya_"],
  ["vault-token", "dotted", 20, "hvs.", "hvb.", "hvr."],
  ["vault-token", "alnum", 24, "s."],
  ["vault-token", "word", 20, "b.AAAA"],
  ["doppler-token", "alnum", 36, "dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
  ["doppler-token", "dotted", 36, "dp.st."],
  ["infisical-token", "dotted", 60, "st."],
  ["onepassword-token", "base64", 40, "ops_eyJ"],
  ["onepassword-token", "word", 26, "A3-"],
  ["square-token", "word", 20, "sq0atp-", "sq0idp-"],
  ["square-token", "word", 30, "sq0csp-"],
  ["square-token", "word", 56, "EAAA"],
  ["facebook-token", "alnum", 60, "EAA"],
  ["facebook-token", "word", 60, "IGQV"],
  ["mailgun-key", "lower", 32, "key-", "pubkey-"],
  ["brevo-key", "word", 60, "xkeysib-", "xsmtpsib-"],
  ["resend-key", "word", 24, "re_"],
  ["postman-key", "word", 40, "PMAK-"],
  ["postman-key", "word", 24, "PMAT-"],
  ["pulumi-token", "hex", 40, "pul-"],
  ["supabase-key", "alnum", 36, "sbp_"],
  ["supabase-key", "word", 20, "sb_secret_"],
  ["planetscale-token", "dotted", 28, "pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
  ["neon-key", "alnum", 40, "napi_"],
  ["fly-token", "word", 36, "fo1_"],
  ["fly-token", "any", 40, "FlyV1 "],
  ["fly-token", "base64", 40, "fm1r_", "fm2_"],
  ["netlify-token", "alnum", 32, "nfp_", "nfc_", "nfo_"],
  ["vercel-token", "word", 24, "vercel_blob_rw_"],
  ["vercel-token", "alnum", 24, "vcp_", "vck_"],
  ["render-key", "alnum", 24, "rnd_"],
  ["railway-token", "word", 30, "railway_"],
  ["heroku-key", "word", 36, "HRKU-"],
  ["newrelic-key", "upper", 24, "NRAK-"],
  ["newrelic-key", "word", 28, "NRII-", "NRIQ-"],
  ["newrelic-key", "lower", 40, "NRRA-"],
  ["newrelic-key", "lower", 16, "NRJS-"],
  ["newrelic-key", "word", 24, "NRSP-", "NRAL-"],
  ["grafana-token", "word", 38, "glsa_"],
  ["grafana-token", "base64", 32, "glc_"],
  ["grafana-token", "base64", 60, "eyJrIjoi"],
  ["datadog-key", "alnum", 30, "ddapi_", "ddapp_", "ddpat_"],
  ["dynatrace-token", "dotted", 60, "dt0c01."],
  ["dynatrace-token", "dotted", 40, "dt0s16.", "dt0s01."],
  ["honeycomb-key", "lower", 50, "hcaik_", "hcbik_", "hcxik_"],
  ["posthog-key", "alnum", 36, "phc_", "phx_", "phs_"],
  ["sonar-token", "hex", 40, "sqp_", "squ_", "sqa_"],
  ["snyk-token", "dotted", 30, "snyk_"],
  ["semgrep-token", "word", 38, "sgp_", "sgph_"],
  ["age-key", "upper", 50, "AGE-SECRET-KEY-1"],
  ["atlassian-token", "base64", 60, "ATATT3", "ATCTT3"],
  ["atlassian-token", "base64", 28, "ATBB"],
  ["atlassian-token", "base64", 36, "BBDC-"],
  ["figma-token", "word", 36, "figd_", "figo_", "figu_"],
  ["airtable-token", "dotted", 70, "pat"],
  ["artifactory-token", "alnum", 60, "AKCp"],
  ["artifactory-token", "alnum", 50, "cmVmdGtu"],
  ["contentful-token", "word", 36, "CFPAT-"],
  ["cloudflare-token", "word", 140, "v1.0-"],
  ["cloudflare-token", "alnum", 36, "cfut_", "cfat_", "cfk_"],
  ["dropbox-token", "word", 60, "sl.", "sl.u."],
  ["easypost-key", "alnum", 50, "EZAK", "EZTK"],
  ["flutterwave-key", "word", 12, "FLWSECK_TEST-"],
  ["flutterwave-key", "word", 30, "FLWSECK-", "FLWPUBK_TEST-"],
  ["paystack-key", "alnum", 30, "sk_paystack_"],
  ["braintree-token", "any", 40, "access_token$production$", "access_token$sandbox$"],
  ["razorpay-key", "alnum", 14, "rzp_live_", "rzp_test_"],
  ["plaid-token", "word", 36, "access-sandbox-", "access-development-", "access-production-"],
  ["intercom-token", "base64", 50, "dG9rO"],
  ["launchdarkly-key", "word", 36, "api-", "sdk-", "mob-"],
  ["mapbox-token", "dotted", 40, "pk.eyJ", "sk.eyJ", "tk.eyJ"],
  ["perplexity-key", "alnum", 40, "pplx-"],
  ["groq-key", "alnum", 40, "gsk_"],
  ["replicate-token", "alnum", 34, "r8_"],
  ["xai-key", "alnum", 60, "xai-"],
  ["cerebras-key", "alnum", 36, "csk-"],
  ["fireworks-key", "alnum", 20, "fw_"],
  ["together-key", "word", 36, "tgp_v1_"],
  ["voyage-key", "word", 40, "pa-"],
  ["pinecone-key", "word", 40, "pcsk_"],
  ["elevenlabs-key", "hex", 44, "sk_"],
  ["nvidia-key", "word", 50, "nvapi-"],
  ["wandb-key", "word", 40, "wandb_v1_"],
  ["tavily-key", "word", 24, "tvly-"],
  ["firecrawl-key", "hex", 30, "fc-"],
  ["tailscale-key", "word", 20, "tskey-"],
  ["typeform-token", "dotted", 40, "tfp_"],
  ["yandex-token", "word", 34, "AQVN"],
  ["yandex-token", "any", 80, "t1.9eu"],
  ["yandex-token", "word", 50, "y0_"],
  ["yandex-token", "word", 20, "YCAJE"],
  ["yandex-token", "word", 36, "YCP"],
  ["scaleway-key", "upper", 17, "SCW"],
  ["alibaba-key", "alnum", 16, "LTAI"],
  ["tencent-key", "alnum", 28, "AKID"],
  ["zapier-key", "word", 20, "sk-ak-"],
  ["prefect-key", "alnum", 34, "pnu_", "pnb_"],
  ["buildkite-token", "hex", 38, "bkua_"],
  ["buildkite-token", "word", 40, "bkaj_"],
  ["circleci-token", "word", 40, "CCIPAT_", "CCIPRJ_"],
  ["codecov-token", "word", 30, "codecov_"],
  ["readme-key", "alnum", 60, "rdme_"],
  ["frameio-token", "word", 60, "fio-u-"],
  ["duffel-token", "word", 40, "duffel_live_", "duffel_test_"],
  ["shippo-token", "hex", 38, "shippo_live_", "shippo_test_"],
  ["adobe-secret", "lower", 30, "p8e-"],
  ["clerk-key", "alnum", 32, "ak_"],
  ["workos-key", "word", 30, "sk_workos_"],
  ["hubspot-token", "word", 30, "pat-na1-", "pat-na2-", "pat-eu1-"],
  ["jina-key", "alnum", 40, "jina_"],
  ["apify-token", "alnum", 30, "apify_api_"],
  ["paseto", "dotted", 60, "v2.local.", "v3.local.", "v4.local."],
  ["wakatime-key", "word", 30, "waka_"],
  ["cohere-key", "alnum", 38, "co_"],
  ["kaggle-token", "alnum", 28, "KGAT_"],
  ["beamer-token", "base64", 44, "b_"],
  ["lob-key", "hex", 34, "live_", "test_"],
  [
    "private-key",
    "base64",
    20,
    "LS0tLS1CRUdJTiBSU0EgUFJJVkFURS",
    "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS",
    "LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS",
    "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUg",
    "LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURS",
    "LS0tLS1CRUdJTiBEU0EgUFJJVkFURS",
  ],
  ["private-key", "base64", 40, "b3BlbnNzaC1rZXktdjE"],
];

/** A rule for each row, or two where some of its prefixes say more than others. */
export const TOKENS: readonly Rule[] = rulesOf(ROWS);

function rulesOf(rows: readonly Row[]): Rule[] {
  const patterns = new Map<string, RegExp>();
  return rows.flatMap(([kind, rest, least, ...prefixes]) =>
    [true, false].map((isTelling): Rule => {
      const keywords = prefixes.filter((prefix) => isTellingPrefix(prefix) === isTelling);
      const source = patternOf(rest, least, isTelling);
      const pattern = patterns.get(source) ?? new RegExp(source);
      patterns.set(source, pattern);
      return {
        kind,
        reads: "prefix",
        keywords,
        pattern,
        looks: isTelling ? "token-by-prefix" : "token",
        get secret() {
          const example = `{${ALPHABETS[rest][1]}:${Math.max(least + 4, 20)}}`;
          return keywords.map((prefix) => `see @[${prefix}${example}]@ there`);
        },
        get ordinary() {
          return keywords.map((prefix) => `see ${prefix}${"x".repeat(least)} there`);
        },
      };
    }).filter(({ keywords = [] }) => keywords.length > 0)
  );
}

/** What ends a sentence does not end a token. */
function patternOf(rest: Alphabet, least: number, isTelling: boolean): string {
  const run = `[${ALPHABETS[rest][0]}]`;
  const cutShort = isTelling && least > LEAST_CUT_SHORT
    ? `|${run}{${LEAST_CUT_SHORT},${least}}$`
    : "";
  return `^(?:${run}{${least},${LONGEST_JUDGED}}${cutShort})(?<![.:|!-])`;
}

/** Whether hardly another word begins like this. */
function isTellingPrefix(prefix: string): boolean {
  return prefix.length >= 4 &&
    ("_.-".includes(prefix.at(-1)!) || prefix === "AKIA" || prefix === "AIza");
}
