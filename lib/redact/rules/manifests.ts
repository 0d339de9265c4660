// Kubernetes Secret manifests. Every value in them is a secret, whatever its name. Pure.

import type { Rule } from "./rule.ts";

const SECRET = /["']?\bkind["']?:[ \t]{0,8}["']?(?:Sealed|External)?Secret\b/;

export const MANIFESTS: readonly Rule[] = [
  {
    kind: "kubernetes-secret",
    keywords: ["secret"],
    pattern:
      /^([ \t]{0,16})(?:data|stringData):[ \t]{0,8}((?:\r?\n\1[ \t]{1,40}[\w.-]{1,120}:[ \t]{1,8}(?:[|>][+-]?[ \t]{0,8}\n[ \t]{1,40})?["']?[^\s"'#][^\n]{0,8192}){1,2000})/gm,
    parts:
      /\n[ \t]{0,40}[\w.-]{1,120}:[ \t]{1,8}(?:[|>][+-]?[ \t]{0,8}\n[ \t]{1,40})?["']?([^\s"'#][^\n"']{0,4096}(?<!\s))(?=["']?[ \t\r]{0,8}(?:\n|$|["']))/g,
    beside: SECRET,
    looks: "any",
    secret: [
      "kind: Secret\ndata:\n  user: @[{b64:12}]@\n  pass: '@[{b64:20}]@'\ntype: Opaque\n",
      "  stringData:\n    a: @[{pw:9}]@\n  kind: Secret\n",
    ],
    ordinary: [
      "kind: ConfigMap\ndata:\n  a: k7Qw2xT9Zr\n",
      "kind: ConfigMap\ndata:\n  a: k7Qw2xT9Zr\n---\nkind: Secret\n",
      "kind: Secret\ndata:\n  a: ${A}\ntype: Opaque\n",
    ],
  },
  {
    kind: "kubernetes-secret",
    keywords: ["secret"],
    pattern: /"(?:data|stringData)"\s{0,8}:\s{0,8}\{([^{}]{0,8192})(?=\})/g,
    parts: /"[\w.-]{1,120}"\s{0,8}:\s{0,8}"([^"\n]{1,4096})(?=")/g,
    beside: SECRET,
    looks: "any",
    secret: ['{ "kind": "Secret", "data": { "a": "@[{b64:12}]@", "b": "@[{b64:20}]@" } }'],
    ordinary: ['{ "kind": "ConfigMap", "data": { "a": "k7Qw2xT9Zr" } }'],
  },
];
