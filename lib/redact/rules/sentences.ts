/**
 * Secrets in calls, in sentences and in tables. Pure.
 *
 * @module
 */

import type { Rule } from "./rule.ts";

/** The marks around a cell. */
const AROUND = "[ \\t*`_\"']{0,40}";

const SECRET_HEAD = String
  .raw`[\s*\`_]{0,8}(?:[\w-]{1,20} ){0,3}(?:password|passwort|passphrase|pass|pwd|secret|token|api ?key|credentials?|(?:access|secret|private|encryption|license) ?key)[\s*\`_]{0,8}`;

export const SENTENCES: readonly Rule[] = [
  {
    kind: "credential",
    keywords: ["login", "log_in", "signin", "sign_in", "auth", "credential"],
    pattern:
      /(?:credentials?|\b(?:log_?in|sign_?in|authenticate|(?:HTTP)?basic_?auth|auth|NetworkCredential(?:\]::new)?|UsernamePassword\w{0,20}|PSCredential[^\n'"]{0,30}))\s?[=:]?\s?[(\[]?\s?["'][^"'\n]{1,64}["']\s?,\s?["']([^"'\n\s]{4,128})(?=["'])/gi,
    looks: "chosen",
    secret: ['login("bob", "@[{pw:9}]@")', "auth=('bob', '@[{pw:9}]@')"],
    ordinary: ['login("bob", "password")', 'auth("read", "write")'],
  },
  {
    kind: "credential",
    keywords: ["connect", "pdo(", "mysqli(", "login(", "create_user(", "create_superuser("],
    // After the name of a user, in a call that opens or makes something with it.
    pattern:
      /\b(?:getConnection|new (?:PDO|mysqli)|\w{1,20}_p?connect|(?:pymysql|MySQLdb|pymssql|cx_Oracle|oracledb|\w{0,10}ssh\w{0,10})\.connect|\w{0,10}ftp\w{0,10}[._]login|create_(?:super)?user)\((?:[^()\n]{0,160}?,\s?)??["'][\w.@-]{1,64}["'],\s?["'](?![\w.-]{1,64}@[\w-]{1,64}\.)([^"'\n\s]{5,128})(?=["'])/g,
    looks: "chosen",
    secret: [
      'DriverManager.getConnection(url, "bob", "@[{pw:9}]@");',
      "mysqli_connect('localhost', 'bob', '@[{pw:9}]@', 'shop');",
      "ssh.connect('host', 22, 'bob', '@[{pw:9}]@')",
      "create_user('bob', 'a@b.example', '@[{pw:9}]@')",
    ],
    ordinary: ['getConnection(url, "name", "value")', "app.connect('a', 'event-2')"],
  },
  {
    kind: "password",
    keywords: ["password", "passwd", "pwd"],
    // What is typed into a field.
    pattern:
      /(?:password|passwd|pwd)["'\]]{1,4}\)?(?:,\s?|\)?\.(?:type|fill|sendKeys|send_keys|setValue)\()["']([^"'\n\s]{5,128})(?=["']\))/gi,
    looks: "chosen",
    secret: [
      "page.fill('input[name=\"password\"]', '@[{pw:9}]@')",
      'find("id", "password").send_keys("@[{pw:9}]@")',
    ],
    ordinary: ["assert(form['password'], 'missing')"],
  },
  {
    kind: "password",
    keywords: [".tochararray("],
    pattern: /["']([^"'\n\s]{5,128})(?=["']\.toCharArray\(\))/g,
    looks: "chosen",
    secret: ['store.load(file, "@[{pw:9}]@".toCharArray());'],
    ordinary: ['"letters".toCharArray()'],
  },
  {
    kind: "secret",
    keywords: ["jwt.", "createhmac", "hmac.new", "hash_hmac", "createcipheriv"],
    pattern:
      /\b(?:jwt\.(?:sign|verify|encode|decode)|createHmac|hmac\.new|hash_hmac|createCipheriv)[( ](?:(?:[^,\n"'{}]{1,80}|["'][^"'\n]{1,40}["']|\{[^{}\n]{0,160}\}),\s{0,4}){0,2}b?["'`]([^"'`\n]{6,256})(?=["'`])/g,
    looks: "chosen",
    secret: [
      'jwt.sign(user, "@[{pw:12}]@")',
      'jwt.encode({"a": 1}, "@[{pw:12}]@")',
      'createHmac("sha256", "@[{an:19}7]@")',
      "hash_hmac('sha256', $data, '@[{pw:12}]@')",
    ],
    ordinary: ['createHmac("sha256", key)', 'jwt.verify(token, "secret")'],
  },
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
    // At the end of the sentence, and not what is said of a password.
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
    kind: "credential",
    keywords: ["credential", "creds", "login", "log-in", "user", "account"],
    pattern:
      /\b(?:credentials?|creds|log-?in|user(?:name)?|account)\b(?:[ \w]{0,24}[:(=]| is| are|)[ \t]{1,3}["'`]?[\w.@-]{2,40}["'`]?[ \t]?[:/|][ \t]?["'`]?(?![a-z]{2,20}(?:-[a-z0-9]{1,20}){1,8}(?![^\s"'`|<>,;]))([^\s"'`|<>,;/][^\s"'`|<>,;]{5,128})/gi,
    looks: "chosen",
    secret: ["The credentials are bob / @[{pw:9}]@ for now", "login: bob:@[{pw:9}]@"],
    ordinary: [
      "user input: something",
      "the account is free / unlimited",
      "User agents: python-313-conventions (names)",
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
    kind: "pin",
    keywords: ["pin", "passcode", "otp", "one-time ", "verification code", "2fa code"],
    pattern:
      /\b(?:PIN|PIN code|[Pp]asscode|OTP|[Oo]ne-time (?:code|password)|[Vv]erification code|2FA code)(?: is| was|:)\s{1,3}([0-9]{4,8})\b/g,
    looks: "any",
    secret: ["The PIN is @[4{d:4}1]@.", "Your verification code: @[7{d:3}12]@"],
    ordinary: ["The PIN is four digits", "pin: 1.2.3"],
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
  ...[0, 1, 2, 3, 4, 5, 6, 7].map(columnOfSecrets),
];

/** Tables in Markdown in which the head of this column names a secret. */
function columnOfSecrets(column: number): Rule {
  let pattern: RegExp | undefined;
  let parts: RegExp | undefined;
  const start = String
    .raw`(?:[ \t>]{0,16}\||(?![ \t>]{0,16}\|))(?:[^|\n]{0,400}\|){${column}}`;
  const table = (value: string) =>
    `\n${"| a ".repeat(column)}| Password |\n|${"---|".repeat(column + 1)}\n${
      "| b ".repeat(column)
    }| ${value} |\n`;
  return {
    kind: "password",
    keywords: ["--|", "-|", "-:|", "- |", "-: |", "|-", "|:-", "| -", "| :-"],
    // Made when they are first tried.
    get pattern() {
      return pattern ??= new RegExp(
        String
          .raw`\n[ \t>]{0,16}\|?[ \t]{0,8}:?-{2,100}:?[ \t]{0,8}\|[ \t:|-]{0,400}(?<=(?:^|\n)${start}${SECRET_HEAD}(?:\|[^\n]{0,1000})?\n[^\n]{0,600})((?:\n[^\n]{0,1000}\|[^\n]{0,1000}){1,10000})`,
        "gi",
      );
    },
    get parts() {
      return parts ??= new RegExp(
        String
          .raw`\n(?=[^|\n]{0,1000}\|)${start}${AROUND}((?=[^|\s]{0,255}[0-9])[^|\s]{1,256}?)(?=${AROUND}(?:\||\n|$))`,
        "g",
      );
    },
    looks: "chosen",
    secret: [table("@[{pw:9}]@"), table("`@[{an:11}7]@`")],
    ordinary: [table("at least 8"), table("string")],
  };
}
