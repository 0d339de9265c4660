/**
 * Tokens of providers: the half which nobody looks at while writing rules.
 *
 * @module
 */

import { inContexts, JWT } from "./shapes.ts";

const CONTEXTS = [
  "Turns out somebody committed @@ three weeks ago; rotate it.",
  'service := vendor.Dial(ctx, "@@", nil)',
  "set -gx VENDOR_KEY @@",
  '  <add key="VendorKey" value="@@" />',
  "[warn] upstream rejected @@, falling back to cache",
  "  - run: vendor deploy\n    env:\n      VENDOR_KEY: @@",
  "-VENDOR_KEY=@@",
  "Q: which one is live? A: @@ (the other was deleted)",
  "wget --header='X-Vendor-Key: @@' https://vendor.example.net/export.csv",
  'assert_eq!(client.key(), "@@");',
  "1) open settings 2) enter @@ 3) save",
];

const of = (from: number, ...tokens: string[]) => inContexts(tokens, CONTEXTS, { from, count: 11 });

/** Tokens that are known by their prefix or their shape; templates in the notation of `shapes.ts`. */
export const PROVIDERS: Record<string, readonly string[]> = {
  "aws access key id": of(0, "ASIA{b32:16}", "AKIA{b32:16}"),
  "github": of(
    1,
    "ghs_{an:36}",
    "ghr_{an:76}",
    "ghu_{an:36}",
    "github_pat_{an:22}_{an:59}",
    "ghp_{an:36}",
  ),
  "gitlab": of(2, "glpat-{b64u:20}", "glptt-{hex:40}", "glcbt-{hex:2}_{b64u:20}", "gldt-{b64u:20}"),
  "slack": [
    ...of(3, "xoxb-{d:11}-{d:11}-{an:24}", "xapp-1-A{up:10}-{d:13}-{hex:64}", "xoxe-1-{an:146}"),
    "notify: { url: 'https://hooks.slack.com/services/@[T{up:10}/B{up:10}/{an:24}]@' }",
  ],
  "stripe": of(4, "rk_live_{an:99}", "sk_live_{an:99}", "whsec_{an:32}"),
  "openai": of(5, "sk-svcacct-{b64u:74}T3BlbkFJ{b64u:73}", "sk-proj-{b64u:20}T3BlbkFJ{an:20}"),
  "anthropic": of(6, "sk-ant-api03-{b64u:93}AA", "sk-ant-oat01-{b64u:86}AA"),
  "google": of(7, "AIza{b64u:35}", "1//0{b64u:60}", "ya29.a0{b64u:120}", "GOCSPX-{b64u:28}"),
  "npm": of(8, "npm_{an:36}"),
  "hugging face": of(9, "hf_{letters:34}"),
  "vault": of(10, "hvs.CAES{b64u:86}", "hvr.{b64u:90}"),
  "digitalocean": of(0, "dor_v1_{hex:64}", "dop_v1_{hex:64}"),
  "jwt": of(1, JWT, "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJpc3Mi{b64u:90}.{b64u:342}"),
  "shopify": of(2, "shpca_{hex:32}", "shppa_{hex:32}", "shpat_{hex:32}"),
  "linear": of(3, "lin_api_{an:40}", "lin_oauth_{hex:64}"),
  "notion": of(4, "ntn_{d:11}{an:35}", "secret_{an:43}"),
  "sentry": of(5, "sntrys_eyJ{b64:120}=_{b64:43}", "sntryu_{hex:64}"),
  "terraform": of(6, "{an:14}.atlasv1.{b64u:67}"),
  "doppler": of(7, "dp.pt.{an:43}", "dp.st.prd.{an:41}"),
  "discord": [
    ...of(8, "M{an:23}.{b64u:6}.{b64u:38}", "MTA{an:23}.G{an:5}.{b64u:38}"),
    "webhook = https://discord.com/api/webhooks/~[{d:18}]~/@[{b64u:68}]@",
  ],
  "figma and pulumi": of(9, "figd_{b64u:40}", "pul-{hex:40}"),
  "new relic and postman": of(10, "NRAK-{up:27}", "PMAK-{hex:24}-{hex:34}"),
  "planetscale and fly": of(
    0,
    "pscale_tkn_{b64u:43}",
    "pscale_pw_{b64u:43}",
    "FlyV1 fm2_{b64:120}",
  ),
  "groq, replicate, perplexity": of(1, "gsk_{an:52}", "r8_{an:37}", "pplx-{an:48}"),
  "rubygems and age": of(2, "rubygems_{hex:48}", "AGE-SECRET-KEY-1{up:58}"),
  "atlassian": of(3, "ATATT3xFfGF0{b64u:171}={HEX:8}", "ATCTT3xFfGN0{b64u:171}={HEX:8}"),
};
