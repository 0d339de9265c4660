// Tokens without a fixed prefix, recognized by their shape. Pure.

import type { Rule } from "./rule.ts";

export const TOKEN_SHAPES: readonly Rule[] = [
  {
    kind: "jwt",
    keywords: ["eyj", "eyk"],
    pattern:
      /(?<![A-Za-z0-9])ey[JK][A-Za-z0-9_-]{8,700}\.[A-Za-z0-9_-]{8,6000}(?:\.[A-Za-z0-9_-]{0,2000}){0,3}/g,
    entropy: 3,
    secret: [
      "see @[eyJhbGciOiJIUzI1NiJ9.{b64u:40}.{b64u:43}]@ there",
      "cut @[eyJhbGciOiJIUzI1NiJ9.{b64u:40}]@",
    ],
    ordinary: ["eyJ.eyJ", "the monkeyJabcdefgh.abcdefghijk"],
  },
  {
    kind: "bitcoin-key",
    pattern:
      /\b(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![A-Za-z0-9_/+=-])/g,
    looks: "rare",
    secret: ["see @[K{b58:51}]@ there", "see @[5J{b58:49}]@ there"],
    ordinary: ["K" + "eyOfTheMap".repeat(5) + "1"],
  },
  {
    kind: "api-key", // Ghost, fal, Unleash: an id, then the key
    pattern:
      /(?<=[:.])(?=[0-9a-f]{32})(?:(?<=(?<!\w)[0-9a-f]{24}:)[0-9a-f]{64}|(?<=(?<!\w)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:)[0-9a-f]{32}|(?<=(?<![\w.*-])[\w*-]{1,40}:[\w*-]{1,40}\.)[0-9a-f]{56,64})(?!\w)/g,
    entropy: 3,
    secret: ["see {hex:24}:@[{hex:64}]@ there", "default:development.@[{hex:64}]@"],
    ordinary: ["image:v2.d41d8cd98f00b204e9800998ecf8427e", "sha256:d41d8cd98f00b204"],
  },
  {
    kind: "nats-seed",
    pattern: /(?<![A-Za-z0-9])S[ACNOUX][A-Z2-7]{56}(?![A-Za-z0-9])/g,
    entropy: 3.5,
    secret: ["see @[SU{b32:56}]@ there"],
    ordinary: ["S" + "A".repeat(57)],
  },
  {
    kind: "telegram-token",
    keywords: [":a"],
    pattern: /(?<=^|[^A-Za-z0-9]|bot)[0-9]{5,16}:A[A-Za-z0-9_-]{33,36}(?![A-Za-z0-9_-])/g,
    entropy: 3,
    secret: ["api.telegram.org/bot@[{d:9}:AA{b64u:33}]@/send"],
    ordinary: ["12345678:ABCDEF", `20240101:${"A".repeat(35)}`],
  },
  {
    kind: "discord-token",
    pattern: /(?<![A-Za-z0-9])[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,40}/g,
    entropy: 3,
    secret: ["run @[M{an:23}.{an:6}.{an:27}]@ now"],
    ordinary: ["Module.submod.function", "NotificationServiceFactory.create.x"],
  },
  {
    kind: "fly-token",
    keywords: ["flyv1 "],
    pattern: /\bFlyV1 ([A-Za-z0-9_.~+/=:,|!-]{40,})/g,
    entropy: 3,
    secret: ["see FlyV1 @[fm2_{b64u:60}]@ there"],
    ordinary: ["FlyV1 is a scheme"],
  },
  {
    kind: "facebook-token",
    keywords: ["|", "%7c"],
    pattern:
      /\b(?=[0-9])(?<!\|)[0-9]{13,17}(?:\||%7C)(?=[a-z_-]{0,31}[A-Z0-9])[A-Za-z0-9_-]{24,32}(?![A-Za-z0-9_|-])/g,
    entropy: 4,
    looks: "token",
    secret: ["see @[{d:16}|{b64u:27}]@ there"],
    ordinary: [
      "1712345678901|internationalization-of-all",
      'u="0|5071|5029325206585401|sk87agNXI2bvEpEBxLxJem8m07jb33Ms"',
    ],
  },
  {
    kind: "private-key",
    keywords: ["0x"],
    // A private key in mixed case. Tools write hashes in one case.
    pattern: /0x(?=[0-9A-F]{0,63}[a-f])(?=[0-9a-f]{0,63}[A-F])[0-9A-Fa-f]{64}(?![A-Za-z0-9])/g,
    entropy: 3,
    secret: ["see @[0x{hex:30}AbCdE1{hex:28}]@!"],
    ordinary: ["0xD41D8CD98F00B204E9800998ECF8427ED41D8CD98F00B204E9800998ECF8427E"],
  },
  {
    kind: "api-key", // Mailgun, Z.AI, Ollama
    pattern:
      /\b[0-9a-f]{32}(?<![./-][0-9a-f]{32})(?:-[0-9a-f]{8}-[0-9a-f]{8}|\.(?=[a-z0-9_-]{0,31}[A-Z])(?=[A-Za-z_-]{0,31}[0-9])[A-Za-z0-9_-]{16,32})(?![A-Za-z0-9_.-])/g,
    entropy: 3,
    secret: ["see @[{hex:32}.aB3{an:13}]@ there", "see @[{hex:32}-{hex:8}-{hex:8}]@ there"],
    ordinary: [
      "d41d8cd98f00b204e9800998ecf8427e.bundle",
      "d41d8cd98f00b204e9800998ecf8427e-d41d8cd9",
    ],
  },
  {
    kind: "twitter-token",
    pattern:
      /\b(?=[0-9])(?<!-)[0-9]{15,25}-(?=[A-Za-z]{0,39}[0-9])(?=[0-9]{0,39}[A-Za-z])[A-Za-z0-9]{20,40}(?![A-Za-z0-9_-])/g,
    looks: "token",
    entropy: 3,
    secret: ["see @[{d:18}-{an:27}]@ there"],
    ordinary: [
      "1712345678901234-internationalizationOfAll",
      "18446744073709551615-18446744073709551614",
    ],
  },
  {
    kind: "launchdarkly-key",
    pattern: /(?<![\w-])(?:api|sdk|mob)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/g,
    looks: "any",
    secret: ["api", "sdk", "mob"].map((of) =>
      `see @[${of}-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}]@ there`
    ),
    ordinary: ["see pods/market-api-f67ff7567-gqrvb_35649bfd-52ff-4281-9294-5f65fd5a89fc/log"],
  },
  {
    kind: "gocardless-token",
    keywords: ["live_"],
    pattern: /(?<![A-Za-z0-9_])live_[A-Za-z0-9_=-]{38,44}(?![A-Za-z0-9_-])/g,
    looks: "rare",
    secret: ["see @[live_{b64u:40}]@ there"],
    ordinary: ["live_names-of-the-streams-of-all-channels-2"],
  },
  {
    kind: "twitch-token",
    keywords: ["live_"],
    pattern: /(?<![A-Za-z0-9_])live_[0-9]{8,12}_[A-Za-z0-9]{20,40}/g,
    entropy: 3,
    secret: ["see @[live_{d:9}_{an:30}]@ there"],
    ordinary: ["live_20240101_test"],
  },
  {
    kind: "clickup-token",
    keywords: ["pk_"],
    pattern: /(?<![A-Za-z0-9_])pk_[0-9]{7,9}_[A-Z0-9]{32}(?![A-Za-z0-9_])/g,
    entropy: 3,
    secret: ["see @[pk_{d:8}_{up:32}]@ there"],
    ordinary: ["pk_1234567_ABC"],
  },
  {
    kind: "okta-token",
    pattern: /(?<![A-Za-z0-9_-])00[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])/g,
    looks: "token",
    entropy: 3.5,
    secret: ["see @[00{an:40}]@ there"],
    ordinary: ["0000000000000000000000000000000000000000", `00${"a".repeat(40)}`],
  },
  {
    kind: "salesforce-token",
    keywords: ["00d"],
    pattern: /(?<![A-Za-z0-9])00D[A-Za-z0-9]{12,15}!([A-Za-z0-9._]{80,260})/g,
    entropy: 3,
    secret: ["see ~[00Dab000000abcd!]~@[{an:96}]@ there"],
    ordinary: ["00D of an order"],
  },
  {
    kind: "stripe-key",
    keywords: ["_secret_"],
    pattern: /(?<![A-Za-z0-9])(?:pi|seti|cs|src)_[A-Za-z0-9]{16,64}_secret_([A-Za-z0-9]{16,64})/g,
    entropy: 3,
    secret: ["see pi_{an:24}_secret_@[{an:25}]@ there"],
    ordinary: ["pi_secret_names"],
  },
  {
    kind: "mailchimp-key",
    keywords: ["-us"],
    pattern: /\b[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])/g,
    entropy: 3,
    secret: ["see @[{hex:32}-us14]@ there"],
    ordinary: ["d41d8cd98f00b204e9800998ecf8427e-user", "de-us1"],
  },
  {
    kind: "azure-secret",
    keywords: ["q~"],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,37}/g,
    entropy: 3,
    secret: ["see @[{an:3}8Q~{an:34}]@ there"],
    ordinary: ["abc8Q~short"],
  },
  {
    kind: "azure-key",
    keywords: ["+asta", "aiot", "+asba", "+aeha", "azfu", "azse", "+acr", "acdb", "jqqj99", "azdo"],
    pattern:
      /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{33,80}(?:\+AStA|AIoT|\+ASbA|\+AEhA|AzFu|AzSe|\+ACR|ACDb|JQQJ99[A-Z]{2}|AZDO)[A-Za-z0-9+/=]{4,30}/g,
    entropy: 3,
    secret: ["see @[{an:76}+AStA{an:6}==]@ there", "see @[{an:52}AzSe{an:12}]@ there"],
    ordinary: ["the AIoT of AzFunctions"],
  },
  {
    kind: "terraform-token",
    keywords: [".atlasv1."],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,80}/g,
    entropy: 3,
    secret: ["see @[{an:14}.atlasv1.{an:60}]@ there"],
    ordinary: ["a token has .atlasv1. in it"],
  },
  {
    kind: "firebase-key",
    keywords: ["aaaa"],
    pattern: /(?<![A-Za-z0-9])AAAA[A-Za-z0-9_-]{7}:[A-Za-z0-9_-]{100,180}/g,
    entropy: 3,
    secret: ["see @[AAAA{b64u:7}:{b64u:140}]@ there"],
    ordinary: ["AAAA records: a.example.org"],
  },
  {
    kind: "asana-token",
    pattern:
      /\b(?=[0-9])(?<!\/)(?:[0-2]\/)?[0-9]{14,20}(?:\/[0-9]{12,20})?:[0-9a-f]{32}(?![0-9a-f])/g,
    entropy: 3,
    secret: ["see @[1/{d:16}:{hex:32}]@ there"],
    ordinary: ["20240101120000:d41d8cd98f00"],
  },
  {
    kind: "asana-token",
    pattern: /(?<![A-Za-z0-9/])[0-2]\/[0-9a-f]{32}(?![0-9a-f])/g,
    entropy: 3,
    secret: ["see @[0/{hex:32}]@ there"],
    ordinary: ["objects/0/d41d8cd98f00b204e9800998ecf8427e"],
  },
  {
    kind: "aws-mws-token",
    keywords: ["amzn.mws."],
    pattern: /(?<![A-Za-z0-9])amzn\.mws\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    entropy: 3,
    secret: ["see @[amzn.mws.{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}]@ there"],
    ordinary: ["amzn.mws.sellers"],
  },
  {
    kind: "newrelic-key",
    keywords: ["nral", "-nrma"],
    pattern:
      /(?<![A-Za-z0-9])(?:[a-z]{2}01xx|AA)?[0-9a-f]{28,42}(?:FFFFNRAL|NRAL|-NRMA)(?![A-Za-z0-9])/gi,
    entropy: 3,
    secret: ["see @[{hex:36}NRAL]@ there", "see @[eu01xx{hex:36}FFFFNRAL]@ there"],
    ordinary: ["the NRAL suffix"],
  },
  {
    kind: "maxmind-key",
    keywords: ["_mmk"],
    pattern: /(?<![A-Za-z0-9_])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9_])/g,
    entropy: 3,
    secret: ["see @[{an:6}_{an:29}_mmk]@ there"],
    ordinary: ["a key ends in _mmk"],
  },
  {
    kind: "ebay-secret",
    keywords: ["prd-", "sbx-"],
    pattern:
      /(?<![A-Za-z0-9-])(?:PRD|SBX)-[0-9a-f]{8,12}(?:-[0-9a-f]{4}){3}-[0-9a-f]{4,12}(?![A-Za-z0-9-])/g,
    entropy: 3,
    secret: ["see @[PRD-{hex:12}-{hex:4}-{hex:4}-{hex:4}-{hex:4}]@ there"],
    ordinary: ["PRD-20240101-a"],
  },
  {
    kind: "yandex-token",
    keywords: ["t1."],
    pattern: /(?<![A-Za-z0-9])t1\.[A-Za-z0-9_-]{1,400}={0,2}\.[A-Za-z0-9_-]{80,90}={0,2}/g,
    entropy: 3,
    secret: ["see @[t1.{b64u:30}.{b64u:86}]@ there"],
    ordinary: ["t1.start.end"],
  },
  {
    kind: "tableau-token",
    keywords: ["==:"],
    pattern: /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{22}==:[A-Za-z0-9]{32}(?![A-Za-z0-9])/g,
    entropy: 3,
    secret: ["see @[{b64:22}==:{an:32}]@ there"],
    ordinary: ["YWJj==:YWJj"],
  },
  {
    kind: "authress-key",
    keywords: [".acc_", ".acc-"],
    pattern:
      /(?<![A-Za-z0-9])(?:sc|ext|scauth|authress)_[a-z0-9]{4,30}\.[a-z0-9]{3,6}\.acc[_-][a-z0-9-]{10,32}\.([A-Za-z0-9+/_=-]{30,120})/g,
    entropy: 3,
    secret: ["see sc_{low:12}.{low:4}.acc_{low:16}.@[{b64:60}]@ there"],
    ordinary: ["sc_name.part.acc-of-a-tenant.key"],
  },
  {
    kind: "twitter-token",
    keywords: ["aaaaaaaaaaaaaaaa"],
    pattern: /(?<![A-Za-z0-9])A{16,24}([B-Zb-z0-9%][A-Za-z0-9%]{50,120})(?![A-Za-z0-9%])/g,
    looks: "random",
    secret: [`see ${"A".repeat(22)}@[z{an:74}]@ there`],
    ordinary: ["A".repeat(90)],
  },
  {
    kind: "dropbox-token",
    keywords: ["aaaaaaaaaa"],
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{11}AAAAAAAAAA[A-Za-z0-9_=-]{43}(?![A-Za-z0-9_=-])/g,
    entropy: 4,
    secret: ["see @[{an:10}zAAAAAAAAAA{an:43}]@ there"],
    ordinary: ["A".repeat(64)],
  },
  {
    kind: "gemini-key",
    keywords: ["master-", "account-"],
    pattern: /(?<![A-Za-z0-9-])(?:master|account)-([A-Za-z0-9]{20})(?![A-Za-z0-9-])/g,
    looks: "rare",
    secret: ["see master-@[{an:19}7]@ there"],
    ordinary: ["see master-ofTheUniverseNumber2"],
  },
];
