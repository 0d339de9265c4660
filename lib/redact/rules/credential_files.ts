// Files that hold credentials: netrc, pgpass, npmrc, lists of users, settings, the configuration of Docker. Pure.

import type { Rule } from "./rule.ts";

export const CREDENTIAL_FILES: readonly Rule[] = [
  {
    kind: "netrc",
    keywords: ["passw"],
    pattern:
      /(?:\bmachine\s{1,8}\S{1,253}|^[ \t]{0,16}default)\s{1,16}(?:login|user)\s{1,8}\S{1,128}\s{1,16}(?:account\s{1,8}\S{1,128}\s{1,16})?passw(?:or)?d\s{1,8}(\S{3,512})/gim,
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
    kind: "password-hash",
    keywords: [
      ...["apr1", "1", "2a", "2b", "2x", "2y", "5", "6", "7", "y", "gy", "p", "h", "s"].map((id) =>
        `$${id}$`
      ),
      ..."argon2 scrypt$ $bcrypt pbkdf2 {sha {ssha {md5 {smd5 {crypt".split(" "),
    ],
    pattern:
      /(?<![A-Za-z0-9$])(?:\{(?:S?(?:SHA|MD5)\d{0,3}|CRYPT|PBKDF2[\w-]{0,8})\}|(?=\$(?:apr1|1|2[abxy]|5|6|7|g?y|P|H|S|argon2(?:id|i|d)|scrypt|bcrypt(?:-sha256)?|pbkdf2(?:-sha\d{1,3})?)\$|pbkdf2_sha\d{1,3}\$\d))([A-Za-z0-9./$=,+_-]{20,220})/g,
    entropy: 3,
    looks: "any",
    secret: [
      "admin:@[$apr1$a8b2c1d4${an:22}]@",
      "'@[$2y$12${an:22}{an:31}]@'",
      "userPassword: ~[{SSHA}]~@[{b64:32}]@",
    ],
    ordinary: ["echo $1$2 and $6$7", "$2a$10$xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "it is {SHA}"],
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
    kind: "password",
    keywords: ["</"],
    pattern:
      /<(?:(?:[\w.-]{1,20}:)?[\w.-]{0,30}(?:password|passwd|passphrase|pwd|(?<=<)pass)(?:\s[\w:.-]{1,24}="[^"<>\n]{0,120}"){0,3}|(?:entry|prop|property|param(?:eter)?|env|setting|item|variable)\s(?:key|name|id)=["'][\w.-]{0,60}(?:password|passwd|pwd)["'][^<>\n]{0,60})>\s{0,40}(?:<Value>)?([^\s<>&]{4,256})(?=\s{0,20}<\/)/gi,
    looks: "password",
    secret: [
      "<password>@[{word:1}]@</password>",
      '<entry key="db.password">@[{pw:9}]@</entry>',
      '<wsse:Password Type="a#b">@[{word:1}]@</wsse:Password>',
      '<setting name="Password" serializeAs="String">\n  <value>@[{word:1}]@</value>',
    ],
    ordinary: ["<password>string</password>", '<string name="password">Passwort</string>'],
  },
  {
    kind: "password",
    keywords: ["</key>", "</name>"],
    // An element with the value, after an element with the name: property lists, Hadoop.
    pattern:
      /<(key|name)>\s{0,20}[\w.-]{0,60}(?:password|passwd|passphrase|pwd|pass|secret|token|api_?key)\s{0,20}<\/\1>\s{0,40}<(?:value|string)>\s{0,20}([^\s<>&]{4,256})(?=\s{0,20}<\/)/gi,
    looks: "chosen",
    secret: [
      "<key>db.password</key>\n  <value>@[{pw:9}]@</value>",
      "<name>fs.s3a.secret</name><value>@[{an:20}7]@</value>",
    ],
    ordinary: ["<key>password</key><string>Passwort</string>"],
  },
  {
    kind: "password",
    keywords: ["#define"],
    pattern:
      /#define\s{1,16}\w{0,40}(?:PASS|PSK|PWD|SECRET|TOKEN|KEY)\s{1,16}"([^"\s]{5,256})(?=")/g,
    looks: "chosen",
    secret: ['#define WIFI_PASS "@[{pw:9}]@"'],
    ordinary: ['#define SORT_KEY "name"'],
  },
  {
    kind: "secret",
    keywords: ["define("],
    pattern:
      /\bdefine\( ?["']\w{0,30}(?:AUTH|LOGGED_IN|NONCE|SECRET)\w{0,10}_(?:KEY|SALT)["'],\s{0,16}(["'])((?:(?!\1)[^\n]){20,128})(?=\1)/g,
    looks: "any",
    secret: ["define('LOGGED_IN_KEY',    '@[{an:20} <{an:8}>-| {an:9}]@');"],
    ordinary: ["define('AUTH_KEY', 'put your unique phrase here');"],
  },
  {
    kind: "password",
    keywords: [
      "requirepass",
      "masterauth",
      "bindpw",
      "rootpw",
      "psk",
      "auth_pass",
      "chap ",
      "pap ",
    ],
    pattern:
      /^[ \t]{0,16}(?:requirepass|masterauth|(?:root)?bindpw|rootpw(?: --\w{1,12})?|olcRootPW:|(?:wpa-)?psk=?|auth_pass|(?:ppp )?[pc]h?ap (?:password|secret)(?: \d)?)[ \t]{0,8}["']?([^\s"'<>]{4,256})(?=["']?[ \t]{0,8}(?:\r?\n|$))/gim,
    looks: "password",
    secret: [
      "a b\nrequirepass @[{word:1}]@\n",
      "rootpw --plaintext @[{pw:9}]@",
      '  psk="@[{pw:9}]@"',
      "    auth_pass @[{pw:9}]@\n",
      "ppp chap password 0 @[{word:1}]@",
    ],
    ordinary: ["requirepass <password>", "psk=<key>", "bindpw is read from a file"],
  },
  {
    kind: "password",
    keywords: ["setuser ", "stats auth ", "{plain}"],
    pattern:
      /(?:\bACL SETUSER [^\n]{1,80}? >|\bstats auth [^\s:]{1,64}:|\{PLAIN\})([^\s"'<>]{4,256})(?=[\s"':]|$)/gi,
    looks: "password",
    secret: [
      "ACL SETUSER bob on >@[{word:1}]@ ~* +@all",
      "stats auth bob:@[{word:1}]@",
      "bob:{PLAIN}@[{pw:9}]@",
    ],
    ordinary: ["ACL SETUSER bob on >password", "use {PLAIN} for it"],
  },
  {
    kind: "password",
    keywords: ["enable ", "username ", "community "],
    pattern:
      /^[ \t]{0,16}(?:enable (?:secret|password)|username \S{1,64} (?:privilege \d{1,2} )?(?:secret|password)|snmp-server community)(?: \d)? ([^\s"'<>]{4,256})(?=[ \t]{0,8}(?:R[OW]\b|\r?\n|$))/gim,
    looks: "password",
    secret: ["enable secret 5 @[{an:24}]@\n", "username bob privilege 15 password 0 @[{word:1}]@"],
    ordinary: ["enable password rotation of all", "enable secret <secret>"],
  },
  {
    kind: "password",
    keywords: ["password", "passwd", "pass ", "pass="],
    pattern: /\$\w{0,30}(?:password|passwd|pass)\s{0,4}=\s{0,4}([A-Za-z0-9]{5,64})(?=;)/gi,
    looks: "password",
    secret: ["$password = @[{word:1}]@;"],
    ordinary: ["$password = null;", "$db_pass = DB_PASS;", "$password = $other;"],
  },
  {
    kind: "password",
    keywords: ["passwords", "passwds", "passphrases", "secrets", "tokens", "keys"],
    pattern:
      /(?:passwords|passwds|passphrases|secrets|tokens|(?:api|access|secret)[_-]?keys)["']?\s{0,4}(?:[:=]|=>)\s{0,4}\[([^[\]]{4,4000})(?=\])/gi,
    parts: /(?<=[,[\s]|^)["']([^"'\s]{8,256})(?=["'])/g,
    looks: "chosen",
    secret: ['"user_passwords": ["@[{pw:9}]@", "@[{an:8}7]@"]', "API_KEYS = ['@[{an:24}7]@']"],
    ordinary: ['tokens: ["select", "from"]', 'secrets = ["DB_PASSWORD", "API_KEY_2"]'],
  },
  {
    kind: "password",
    keywords: ["passwords", "passwds", "passphrases", "secrets", "tokens", "keys"],
    pattern:
      /^[ \t]{0,40}[\w.-]{0,60}(?:passwords|passwds|passphrases|secrets|tokens|(?:api|access|secret)[_-]?keys):[ \t]{0,8}((?:\r?\n[ \t]{0,40}- {1,4}[^\s:]{1,256}[ \t]{0,8}(?=\r?\n|$)){1,100})/gim,
    parts: /- {1,4}["']?([^\s"']{4,256})(?=["']?(?:\s|$))/g,
    looks: "chosen",
    secret: ["passwords:\n  - @[{pw:9}]@\n  - '@[{an:8}7]@'\n"],
    ordinary: ["secrets:\n  - db-secret\n  - cache\n", "tokens:\n  - $TOKEN_1\n"],
  },
  {
    kind: "password",
    keywords: ["default"],
    pattern:
      /(?:password|passwd|passphrase)["']{0,2}\s{0,4}:?\s{0,4}\{[^{}]{0,300}?\bdefault["']?\s{0,16}[:=]\s{0,4}["']([^"'\n]{4,256})(?=["'])/gi,
    looks: "password",
    secret: [
      '"DbPassword": { "Type": "String", "Default": "@[{pw:9}]@" }',
      'variable "db_password" {\n  type    = string\n  default     = "@[{word:1}]@"\n}',
    ],
    ordinary: ['"password": { "type": "string", "default": "" }', 'password: { default: "none" }'],
  },
  {
    kind: "password",
    keywords: ["default"],
    pattern:
      /^([ \t]{0,16})[\w.-]{0,60}(?:password|passwd|passphrase):[ \t]{0,8}\n(?:\1[ \t]{1,8}[^\n]{0,200}\n){0,6}?\1[ \t]{1,8}default:[ \t]{1,8}["']?([^\s"'#]{4,256})(?=["']?[ \t]{0,8}(?:\r?\n|$))/gim,
    looks: "password",
    secret: ["DbPassword:\n  Type: String\n  Default: @[{pw:9}]@\n"],
    ordinary: ["password:\n  description: a thing\n  default: none\n"],
  },
  {
    kind: "token",
    keywords: ["-oauth", "-token", "bearer"],
    // Tokens by host, in the format of Composer.
    pattern:
      /"(?:(?:github|gitlab|bitbucket)-(?:oauth|token)|bearer)"\s{0,8}:\s{0,8}\{([^{}]{4,2000})(?=\})/g,
    parts: /:\s{0,8}"([^"\s]{16,256})(?=")/g,
    looks: "random",
    secret: ['"github-oauth": { "github.com": "@[{hex:40}]@" }'],
    ordinary: ['"gitlab-token": { "gitlab.com": "token" }'],
  },
  {
    kind: "password",
    keywords: ["chpasswd"],
    pattern:
      /\bchpasswd:\s{1,40}(?:expire: \w{1,8}\s{1,40})?list:[^\n]{0,8}\n((?:[ \t]{1,40}[^\n]{3,200}(?:\n|$)){1,100})/g,
    parts: /[ \t-]{1,40}[\w.-]{1,64}:([^\s:]{4,128})(?=\s|$)/g,
    looks: "password",
    secret: ["chpasswd:\n  list: |\n    root:@[{pw:9}]@\n"],
    ordinary: ["chpasswd:\n  list: |\n    root:RANDOM\n"],
  },
  {
    kind: "bundler",
    keywords: ["bundle_"],
    pattern:
      /\bBUNDLE_\w{2,80}__[A-Z]{2,12}(?:_KEY)?["']?\s{0,4}[:=]\s{0,4}["']?([^\s"':@/]{2,80}:[^\s"'@]{4,256})/g,
    looks: "any",
    secret: ['BUNDLE_GEMS__EXAMPLE__ORG: "@[{hex:8}:{hex:8}]@"'],
    ordinary: ["BUNDLE_GEMS__EXAMPLE__ORG: true"],
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
