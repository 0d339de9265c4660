// Secrets in sentences, and in calls that resemble sentences. Pure.

import type { Rule } from "./rule.ts";

export const SENTENCES: readonly Rule[] = [
  {
    kind: "password",
    keywords: [
      "securestring",
      "setpassword",
      "withpassword",
      "with_password",
      "set_password",
      "define(",
    ],
    pattern:
      /(?:\bConvertTo-SecureString\s{1,4}(?:-\w{5,11}\s{1,4}){0,3}\\?|\b(?:set|with)_?Password\(|\bdefine\( ?["']\w{0,40}(?:PASSWORD|PASSWD|PASS|PWD)["'], ?)["']([^"'\n]{4,256}?)(?=\\?["'])/gi,
    looks: "password",
    secret: [
      'ConvertTo-SecureString -String "@[{word:1}]@" -Force',
      'ConvertTo-SecureString -AsPlainText "@[{pw:9}]@" -Force',
      'a.setPassword("@[{word:1}]@")',
    ],
    ordinary: ['ConvertTo-SecureString "$password"', "define('DB_PASSWORD', 'password')"],
  },
  {
    kind: "password",
    keywords: ["securestring"],
    pattern:
      /(?<=ConvertTo-SecureString\s{1,4}(?:-\w{5,11}\s{1,4}){1,3})[^\s"'`$()-][^\s"'`()]{4,128}|["'][^"'\n]{4,256}(?=["']\s?\|\s?ConvertTo-SecureString)/gi,
    looks: "chosen",
    secret: [
      "ConvertTo-SecureString -String -Force @[{pw:9}]@",
      '"@[{pw:9}]@" | ConvertTo-SecureString -Force',
    ],
    ordinary: ["ConvertTo-SecureString -String $password -Force"],
  },
  {
    kind: "password",
    keywords: [
      "identified ",
      "with password",
      "login password",
      "encrypted password",
      "set password",
      "alter ",
      "create ",
      "sp_addlogin",
    ],
    pattern:
      /\b(?:identified(?: with [\w']{1,40})? (?:by|as)|(?:with|login|encrypted|(?:create|alter) (?:role|user) \S{1,64}) password|set password[^=\n]{0,80}=\s?(?:password\()?|sp_addlogin\s{1,4}N?'[^'\n]{1,64}',)\s?=?\s?N?'([^'\n]{3,128})(?=')/gi,
    looks: "any",
    secret: [
      "CREATE USER bob IDENTIFIED BY '@[{word:1}]@';",
      "ALTER ROLE a WITH PASSWORD N'@[{pw:9}]@'",
    ],
    ordinary: ["ALTER ROLE a WITH PASSWORD '$1'", "IDENTIFIED BY '<password>'"],
  },
  {
    kind: "password",
    keywords: ["identified by"],
    pattern:
      /\b(?:create|alter)\s{1,4}user\s{1,4}\S{1,64}\s{1,4}identified by\s{1,4}"?([^\s"';,]{3,128})/gi,
    looks: "any",
    secret: ["ALTER USER bob IDENTIFIED BY @[{word:1}]@;"],
    ordinary: ["ALTER USER bob IDENTIFIED BY <password>"],
  },
  {
    kind: "password",
    keywords: ["password is", "password:", "password has ", "password was "],
    pattern:
      /\b(?:temporary|generated|initial|default|new|root|admin|enter|wi-?fi|login)(?: [a-z]{1,12})? password(?: is| (?:has been|was) (?:set|changed) to| is generated for \S{1,64}|(?=:)):? ["'`]?([^\s"'`<>]{5,64})(?=["'`]?\.?[ \t]{0,8}(?:\r?\n|$))/gi,
    looks: "password-of-sentence",
    secret: ["Your temporary password is: @[{word:1}]@\n", "Initial admin password: @[{pw:9}]@"],
    ordinary: [
      "Enter the new password again",
      "The default password is empty.",
      "new password: string",
    ],
  },
  {
    kind: "password",
    keywords: ["is", "was", "for", "of"].flatMap((
      verb,
    ) => [`password ${verb}`, `passphrase ${verb}`]),
    pattern:
      /\b(?:password|passphrase)(?: (?:for|of)\s[^\n]{1,40}?)? (?:is|was)\s["'`]([^\s"'`<>]{5,64})(?=["'`])/gi,
    looks: "password",
    secret: [
      "The default password is '@[{word:1}]@'.",
      "password for user 'bob' is `@[{word:1}]@`",
    ],
    ordinary: ["the password is 'required'", "if the password is 'null'"],
  },
  {
    kind: "password",
    keywords: ["password is", "password was", "passphrase is", "passphrase was"],
    // A word at the end of the sentence that is not a statement about a password.
    pattern:
      /\b(?:password|passphrase) (?:is|was) (?![a-z]{0,20}(?:ed|ing|ly|[ai]ble|[aei]nt|[iy]ve|al|ic|ext|own|en|ct|ong|eak|ort|me|st|ll|le|us|se|ue|ess|ean|nt|fe|gone|back|where)\b|(?:right|blank|(?:in)?secure|found|random|temporary|mandatory|enough|better|ready|there|ascii|binary|numbers|digits|letters|tricky|complex|human|remote|later|theirs)\b)([a-z]{5,20})(?=[.!]?\s{0,2}(?:\n|$))/gi,
    looks: "password-of-sentence",
    secret: ["The password is @[blueberry]@.", "the default password was @[swordfish]@\n"],
    ordinary: [
      "The password is wrong.",
      "If the password is unknown",
      "the password is hashed.",
      "the password is plaintext",
    ],
  },
  {
    kind: "secret",
    keywords: ['" ==', "' ==", '" !=', "' !="],
    pattern:
      /["']([^"'\n]{6,128})(?=["'] (?:===?|!==?) (?:[\w$]{1,40}[.])?\w{0,40}(?:pass(?:word|wd)?|pwd|secret|token|api_?key|access_?key|private_?key)(?![a-z]|[\w.]{0,40}\())/gi,
    looks: "chosen",
    secret: ['if ("@[{pw:12}]@" == my_password) {', "if ('@[{an:19}7]@' !== this.apiKey) {"],
    ordinary: ['if ("password" === token) {', 'if (typeof x === "string" && "name" != secret) {'],
  },
  {
    kind: "password",
    keywords: ["</"],
    pattern:
      /<(?:td|th|dt|b|strong)>\s?(?:\w{1,20} )?(?:password|passphrase|secret|token|api key)\s?:?<\/\w{1,10}>\s{0,20}<(?:td|dd|code|span)>([^<\s]{5,256})/gi,
    looks: "chosen",
    secret: ["<tr><td>Password</td><td>@[{pw:9}]@</td></tr>"],
    ordinary: ["<tr><td>Password</td><td>string</td></tr>"],
  },
  {
    kind: "password",
    keywords: ["</"],
    pattern:
      /<(b|strong|i|em|dt|th|label|span|li|p)>\s?(?:\w{1,20} ){0,2}(?:password|passphrase|pwd|pin|token|secret|api key)\s?:?\s?<\/\1>\s?:?\s{0,4}(?:<\w{1,8}>)?([^\s<>"']{5,128})/gi,
    looks: "chosen",
    secret: [
      "<b>Password:</b> @[{pw:9}]@",
      "<strong>Admin Password</strong>: <code>@[{pw:9}]@</code>",
    ],
    ordinary: ["<b>Password:</b> required"],
  },
  {
    kind: "credential",
    keywords: ["credential", "creds", "login", "log-in", "user", "account"],
    pattern:
      /\b(?:credentials?|creds|log-?in|user(?:name)?|account)\b(?:[ \w]{0,24}[:(=]| is| are|)[ \t]{1,3}["'`]?[\w.@-]{2,40}["'`]?[ \t]?(?:[:/|](?!:))[ \t]?["'`]?(?![a-z]{2,20}(?:-[a-z0-9]{1,20}){1,8}(?![^\s"'`|<>,;]))([^\s"'`|<>,;/][^\s"'`|<>,;]{5,128})/gi,
    looks: "chosen",
    secret: ["The credentials are bob / @[{pw:9}]@ for now", "login: bob:@[{pw:9}]@"],
    ordinary: [
      "user input: something",
      "the account is free / unlimited",
      "User agents: python-313-conventions (names)",
      "account = Admin::Account.find_by(name: x1)",
    ],
  },
  {
    kind: "password",
    keywords: ["password", "passphrase", "token", "secret", "api key"],
    pattern:
      /\b(?:use|using|accepts?|enter|type|try|with|put)\s["'`]?([^\s"'`|<>]{6,128})(?=["'`]?\s(?:as|for)\s(?:the|your|a|our|my|its)\s(?:\w{1,20}\s)?(?:password|passphrase|token|secret|api key)\b)/gi,
    looks: "chosen",
    secret: ["Use @[{pw:9}]@ as the password.", "try `@[{an:8}7]@` for your admin password"],
    ordinary: ["Use environment as the secret store", "type string for the token"],
  },
  {
    kind: "password",
    keywords: ["login", "log in", "sign in", "authenticate", "unlock", "decrypt"],
    pattern:
      /\b(?:use|using|enter|type|try|with)\s["'`]?([^\s"'`|<>]{6,128})(?=["'`]?\sto\s(?:log ?in|sign ?in|authenticate|unlock|decrypt)\b)/gi,
    looks: "chosen",
    secret: ["Use @[{pw:9}]@ to log in.", "with `@[{an:8}7]@` to unlock it"],
    ordinary: ["Use OAuth2 to log in", "use the-form to sign in"],
  },
  {
    kind: "password",
    keywords: ["pass for", "pass to", "p/w", "pw for"],
    pattern:
      /\b(?:(?:pass|pw) (?:for|to) (?:[\w.@-]{1,30} ){0,3}?[\w.@-]{1,30}(?: is|:)|p\/w(?: is|:)?)\s["'`]?([^\s"'`|<>]{5,128})/gi,
    looks: "chosen",
    secret: ["pass for the zip: @[{pw:9}]@", "p/w @[{an:8}7]@"],
    ordinary: ["a second pass for the file: later", "pass to the next"],
  },
  {
    kind: "password",
    keywords: ["login attempt ["],
    pattern: /\blogin attempt \[(?:b')?[^\s/\]]{0,64}\/([^\s\]]{3,64}?)(?='?\])/gi,
    looks: "password",
    secret: ["login attempt [root/@[{word:1}]@] failed"],
    ordinary: ["login attempt [1/3]"],
  },
  {
    kind: "password",
    keywords: ["success", "valid", "found", "[+]"],
    // The wording of programs that try passwords.
    pattern:
      /(?:\b(?:success(?:ful)?|valid|found)\b[ \w:-]{0,40}?['"][\w.@\\-]{1,64}:|\[\+\][^\n]{0,80}? [\w.-]{1,40}\\[\w.$-]{1,40}:)([^\s'":]{4,64})(?=['"]|[ \t]|\r?$)/gim,
    looks: "password",
    secret: [
      "[+] 10.0.0.1:22 - Success: 'bob:@[{word:1}]@'",
      "[+] corp.local\\bob:@[{pw:9}]@ (Pwn3d!)",
    ],
    ordinary: ["found 'scope:name' in it", 'valid: "a:b"'],
  },
  {
    kind: "pin",
    keywords: ["pin", "passcode", "otp", "one-time ", "verification code", "2fa code"],
    pattern:
      /\b(?:PIN|PIN code|[Pp]asscode|OTP|[Oo]ne-time (?:code|password)|[Vv]erification code|2FA code)(?: is| was|:)\s{1,3}([0-9]{4,8})\b/g,
    looks: "any",
    secret: ["The PIN is @[4{d:4}1]@.", "Your verification code: @[7{d:3}12]@"],
    ordinary: ["The PIN is four digits", "pin: 1.2.3"],
  },
  {
    kind: "license-key",
    keywords: ["key", "license", "licence", "serial", "activation"],
    // License keys of products, with five groups of five characters.
    pattern:
      /(?:[Kk]ey|KEY|[Ll]icen[cs]e|LICEN[CS]E|[Ss]erial|SERIAL|[Aa]ctivation)[^\n]{0,40}?(?<![\w-])((?:[A-Z0-9]{5}-){4}[A-Z0-9]{5})(?![\w-])/g,
    looks: "any",
    secret: ["Activation key : @[{up:5}-{up:5}-{up:5}-{up:5}-{up:5}]@"],
    ordinary: ["license: XXXXX-XXXXX-XXXXX-XXXXX-XXXXX"],
  },
  {
    kind: "mnemonic",
    keywords: ["phrase", "words", "mnemonic"],
    pattern:
      /\b(?:(?:seed|recovery|backup|secret)[-_ ](?:phrase|words)|mnemonic)\b[^\n:=]{0,40}?(?:[:=]| is)\s{0,4}["'`]?([a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})/gi,
    looks: "any",
    secret: [
      "seed phrase: @[{word:1} {word:1} {word:1} {word:1} {word:1} {word:1} {word:1} {word:1} {word:1} {word:1} {word:1} {word:1}]@",
    ],
    ordinary: ["mnemonic: a name that is easy to remember"],
  },
];
