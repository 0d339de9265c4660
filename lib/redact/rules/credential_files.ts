/**
 * Files that hold credentials: netrc, npmrc, pgpass, the configuration of Docker. Pure.
 *
 * @module
 */

import type { Rule } from "./rule.ts";

export const CREDENTIAL_FILES: readonly Rule[] = [
  {
    kind: "netrc",
    keywords: ["passw"],
    pattern:
      /(?:\bmachine\s{1,8}\S{1,253}|\bdefault)\s{1,16}(?:login|user)\s{1,8}\S{1,128}\s{1,16}(?:account\s{1,8}\S{1,128}\s{1,16})?passw(?:or)?d\s{1,8}(\S{3,512})/gi,
    looks: "any",
    secret: [
      "machine host\n  login bob\n  password @[{pw:9}]@\n",
      "default login bob password @[{an:9}]@",
    ],
    ordinary: ["machine host login bob password <password>"],
  },
  {
    kind: "netrc",
    keywords: ["machine"],
    pattern: /\bmachine\s{1,8}\S{1,253}\s{1,16}passw(?:or)?d\s{1,8}(\S{3,512})/gi,
    looks: "any",
    secret: ["machine host password @[{pw:9}]@"],
    ordinary: ["machine learning model"],
  },
  {
    kind: "netrc",
    keywords: ["login"],
    pattern: /\blogin\s{1,8}\S{1,128}\s{1,16}passw(?:or)?d\s{1,8}(\S{3,512})/gi,
    looks: "any",
    secret: ["login bob passwd @[{pw:9}]@"],
    ordinary: ["login bob password ${PASSWORD}"],
  },
  {
    kind: "pgpass",
    pattern:
      /^[ \t]{0,8}(?:[\w.-]{1,120}|\*):(?:[0-9]{2,5}|\*):(?:[\w-]{1,64}|\*):(?:[\w.@-]{1,64}|\*):([^\s:]{4,256})$/gm,
    looks: "any",
    secret: ["db.example.org:5432:*:app:@[{pw:9}]@\n"],
    ordinary: ["12:30:45:678:90"],
  },
  {
    kind: "npmrc",
    keywords: [":_auth", ":_password"],
    pattern: /:_(?:authToken|auth|password)\s{0,4}=\s{0,4}["']?([^\s"']{6,1024})/gi,
    looks: "any",
    secret: ["//registry.example.org/:_authToken=@[{b64u:36}]@"],
    ordinary: ["//registry.example.org/:_authToken=${NPM_TOKEN}"],
  },
  {
    kind: "npmrc",
    keywords: ["_auth", "_password"],
    pattern: /^[ \t]{0,8}_(?:authToken|auth|password)\s{0,4}=\s{0,4}["']?([^\s"']{6,1024})/gim,
    looks: "any",
    secret: ["a=b\n_auth = @[{b64:24}]@\n"],
    ordinary: ["_auth = ${AUTH}"],
  },
  {
    kind: "secret",
    keywords: [">{"],
    pattern:
      /<(?:\w{1,20}[.:-])?\w{0,20}(?:secret|password|passphrase|token|apikey|privatekey)>\{([^{}<>\n]{16,4096})(?=\}<\/)/gi,
    looks: "any",
    secret: ["<secret>{@[AQAAABAAAAAQ{b64:43}]@}</secret>", "<apiToken>{@[{hex:64}]@}</apiToken>"],
    ordinary: ["<secret>{{ value }}</secret>", "<password>{password}</password>"],
  },
  {
    kind: "docker-auth",
    keywords: ["auth", "identitytoken", "registrytoken"],
    pattern:
      /\\{0,3}["'](?:auth|identitytoken|registrytoken)\\{0,3}["']\s{0,8}:\s{0,8}\\{0,3}["']([A-Za-z0-9+/_.-]{10,4096}={0,2})/gi,
    looks: "any",
    secret: ['{ "auths": { "host": { "auth": "@[{b64:24}]@" } } }'],
    ordinary: ['{ "auth": "none" }', '"auth": "<base64>"'],
  },
  {
    kind: "docker-auth",
    keywords: [".dockerconfigjson"],
    pattern: /\.dockerconfigjson["']?\s{0,4}:\s{0,4}["']?([A-Za-z0-9+/]{20,8192}={0,2})/gi,
    looks: "any",
    secret: ["data:\n  .dockerconfigjson: @[{b64:60}]@\n"],
    ordinary: ["type: kubernetes.io/dockerconfigjson"],
  },
];
