// Secrets in request headers: authorization and cookies. Pure.

import { anyCase, type Rule } from "./rule.ts";

const VALUE = String.raw`[^\s"'\`,;<>(){}\\|&]{4,512}`;
const PAIR = String.raw`[\w.$!%~*+-]{1,80}=[^\s;,"'\\]{1,4096}`;

/** The rules, the more precise ones first. */
export const HEADERS: readonly Rule[] = [
  {
    kind: "authorization",
    keywords: ["authorization"],
    pattern: anyCase(
      String
        .raw`authorization\\{0,3}["']{0,2}(?:\s{0,4}(?:[:=,]|=>)\s{0,4}|\s{1,4})[bf]?\\{0,3}["'\`]?(?:basic|bearer|token|apikey|api-key|key|digest|negotiate|oauth|splunk|sso-key|genieKey|bot|client-id|pave|discogs|rest|snowflake|klaviyo-api-key|gcp|jwt)[\s=:]{1,4}(?!\d{1,9}(?!\w))(${VALUE})`,
    ),
    looks: "any",
    secret: ["Authorization: Bearer @[{b64u:30}]@", '"authorization": "token @[{hex:20}]@"'],
    ordinary: [
      "Authorization: Bearer <token>",
      "Authorization: Bearer ${token}",
      "Authorization: Basic 123456",
    ],
  },
  {
    kind: "authorization",
    keywords: ["authorization"],
    pattern: anyCase(
      String
        .raw`authorization\\{0,3}["']{0,2}\s{0,4}(?:[:=,]|=>)\s{0,4}\\{0,3}["'\`]?([^\s"'\`,;<>(){}\\|&]{12,512})(?=["'\`\s\\]|$)`,
    ),
    looks: "random",
    secret: ["authorization: @[{an:32}]@"],
    ordinary: [
      "authorization: is-checked-by-server",
      "Authorization: AWS4-HMAC-SHA256 Credential=xxx/1970",
      'authorization: "required-in-each"',
    ],
  },
  {
    kind: "authorization",
    keywords: ["authorization"],
    pattern:
      /authorization[^\n]{0,600}?(?:signature|response|oauth_token|mac|sig)=["']?([\w+/=%-]{16,512})/gi,
    looks: "random",
    secret: ['Authorization: Digest a="b", response="@[{hex:32}]@"'],
    ordinary: ["authorization with response=as-it-was-sent-by-us"],
  },
  {
    kind: "authorization",
    keywords: ["authorization", "token", "key"],
    // A value in a list under its header's name, as in recordings of requests.
    pattern:
      /^[ \t]{0,40}["']?(?:authorization|(?:x-[\w-]{0,40}|private-|api-?)(?:key|token))["']?:\s{0,4}\[?\r?\n[ \t]{0,40}(?:- {1,4})?["']?(?:\w{3,10} )?([^\s"',]{12,4096})(?=["',]{0,2}\r?$)/gim,
    looks: "random",
    secret: ["Authorization:\n  - @[{hex:32}]@\n", '"X-Api-Key": [\n  "@[{an:32}]@"\n]'],
    ordinary: ["Authorization:\n  - required-in-each\n"],
  },
  {
    kind: "authorization",
    keywords: ["bearer"],
    pattern: /\bbearer(?:\s{1,4}|%20|: ?|_)["'`]?([\w.~+/=-]{10,4096})/gi,
    looks: "random",
    secret: ["use Bearer @[{an:24}]@"],
    ordinary: ["the bearer authentication of a bearer token-in-header"],
  },
  {
    kind: "authorization",
    keywords: ["basic"],
    pattern: /\bbasic(?:\s{1,4}|%20)["'`]?([A-Za-z0-9+/]{12,512}={0,2})(?![A-Za-z0-9+/])/gi,
    looks: "random",
    secret: ["use Basic @[{b64:28}]@=="],
    ordinary: ["basic authentication", "Basic understanding"],
  },
  {
    kind: "cookie",
    keywords: ["set-cookie"],
    pattern:
      /\bset-cookie\d?\\{0,3}["']?\s{0,4}[:=,]\s{0,4}\\{0,3}["'`]?[\w.$!%~*+-]{1,80}=([^\s;,"'\\]{6,4096})/gi,
    looks: "chosen",
    secret: ["Set-Cookie: id=@[{an:20}]@; Path=/; HttpOnly"],
    ordinary: ["Set-Cookie: id=; Path=/", "Set-Cookie: id=<value>; Path=/", "Set-Cookie: a=names"],
  },
  {
    kind: "cookie",
    keywords: ["cookie"],
    pattern: anyCase(
      String
        .raw`(?<!set-)\bcookies?\\{0,3}["']?\s{0,4}[:=,]\s{0,4}\\{0,3}["'\`]?(${PAIR}(?:; ?${PAIR}){0,20})`,
    ),
    looks: "settings",
    secret: ["Cookie: ~[theme=dark; id=]~@[{an:20}]@"],
    ordinary: ["Cookie: theme=dark; lang=en", "Cookie: tasty=chocolate"],
  },
  {
    kind: "cookie",
    keywords: ["-b ", "-b=", "--cookie"],
    pattern: anyCase(String.raw`\s(?:-b|--cookie)[ =]["']?(${PAIR}(?:; ?${PAIR}){0,20})`),
    looks: "settings",
    secret: ["curl -b 'id=@[{an:20}]@' https://a"],
    ordinary: ["curl -b theme=dark https://a", "git checkout -b topic"],
  },
  {
    kind: "cookie",
    keywords: ["sess", "sid=", ".aspxauth", "wordpress_logged_in_"],
    pattern:
      /(?:PHPSESSID|JSESSIONID|session_?id|connect\.sid|ASP\.NET_SessionId|\.ASPXAUTH|laravel_session|_[a-z]{2,30}_session|(?:__Secure-)?(?:next-auth|authjs)\.session-token|wordpress_logged_in_\w{1,64}|\b(?:__Host-)?sid)=([^\s;,"'&\\]{10,4096})/gi,
    looks: "random-no-id",
    secret: ["PHPSESSID=@[{low:26}]@", "https://a/?sessionid=@[{an:32}]@&b=1"],
    ordinary: ["sessionId=123e4567-e89b-42d3-a456-426614174000", "session_id=str(uuid.uuid4())"],
  },
  {
    kind: "gitlab-token",
    keywords: ["_gitlab_session="],
    pattern: /_gitlab_session=([A-Za-z0-9]{20,256})/g,
    looks: "token",
    secret: ["see _gitlab_session=@[{hex:32}]@"],
    ordinary: ["_gitlab_session=abc"],
  },
];
