/**
 * Tokens of providers: the half which the rules may be written against.
 *
 * @module
 */

import { inContexts, JWT } from "./shapes.ts";

/** The first is bare: a token with a prefix of its own needs no help from what is around. */
const CONTEXTS = [
  "We put @@ into the pipeline settings yesterday and it worked.",
  "const client = new ApiClient('@@');",
  "export SERVICE_TOKEN=@@",
  "    token: @@\n    region: central",
  "2025-03-04T10:11:12.000Z ERROR auth failed for @@ (status 401)",
  '+  "apiKey": "@@",',
  "| production | @@ | rotated monthly |",
  'curl -s -H "Authorization: ~[Bearer]~ @@" https://api.example.com/v1/items | jq .',
  "He pasted `@@` into the chat, please revoke.",
  '{"event":"login","detail":{"value":"@@"},"done":true}',
];

const of = (from: number, ...tokens: string[]) => inContexts(tokens, CONTEXTS, { from, count: 10 });

/** Tokens that are known by their prefix or their shape; templates in the notation of `shapes.ts`. */
export const PROVIDERS: Record<string, readonly string[]> = {
  "aws access key id": of(0, "AKIA{b32:16}", "ASIA{b32:16}"),
  "github": of(1, "ghp_{an:36}", "github_pat_{an:22}_{an:59}", "gho_{an:36}", "ghs_{an:36}"),
  "gitlab": of(2, "glpat-{b64u:20}", "glrt-{b64u:20}", "gldt-{b64u:20}"),
  "slack": [
    ...of(3, "xoxb-{d:12}-{d:13}-{an:24}", "xoxp-{d:12}-{d:12}-{d:12}-{hex:32}"),
    "Posting to https://hooks.slack.com/services/@[T{up:8}/B{up:10}/{an:24}]@ fails since Monday.",
    "SLACK_HOOK=https://hooks.slack.com/services/@[T{up:8}/B{up:10}/{an:24}]@",
  ],
  "stripe": of(4, "sk_live_{an:24}", "rk_live_{an:24}", "whsec_{an:32}", "sk_test_{an:48}"),
  "openai": of(5, "sk-{an:20}T3BlbkFJ{an:20}", "sk-proj-{b64u:58}T3BlbkFJ{b64u:58}"),
  "anthropic": of(6, "sk-ant-api03-{b64u:93}AA", "sk-ant-admin01-{b64u:93}AA"),
  "google": of(7, "AIza{b64u:35}", "ya29.{b64u:68}", "GOCSPX-{b64u:28}"),
  "npm": of(8, "npm_{an:36}"),
  "pypi": of(9, "pypi-AgEIcHlwaS5vcmc{b64u:90}"),
  "hugging face": of(0, "hf_{letters:34}"),
  "sendgrid": of(1, "SG.{b64u:22}.{b64u:43}"),
  "digitalocean": of(2, "dop_v1_{hex:64}", "doo_v1_{hex:64}"),
  "databricks": of(3, "dapi{hex:32}"),
  "vault": of(4, "hvs.{b64u:90}", "hvb.{b64u:140}"),
  "telegram": of(5, "{d:10}:AA{b64u:33}"),
  "docker hub": of(6, "dckr_pat_{b64u:27}"),
  "shopify": of(7, "shpat_{hex:32}", "shpss_{hex:32}"),
  "jwt": of(8, JWT),
  "airtable": of(9, "pat{an:14}.{hex:64}"),
  "grafana": of(0, "glsa_{an:32}_{hex:8}"),
};
