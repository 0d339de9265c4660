// Secrets in code: arguments of calls and commands, returned values, and values that a test expects. Pure.

import { anyCase, type Rule } from "./rule.ts";

/** The ends of names that name a secret. */
const NAME = "(?:pass(?:word|wd|phrase)|pwd|secret|token|api_?key|access_?key)";

const OPEN = "[\"'`]";
const VALUE = String.raw`[^\s"'\`]{5,256}`;
const QUOTED = String.raw`${OPEN}(${VALUE})(?=${OPEN})`;
const KEYWORDS = ["password", "passwd", "passphrase", "pwd", "secret", "token", "key"];

/** The methods that compare values in tests. */
const EXPECTED = String
  .raw`(?:to(?:\.be|\.equal|\.eql|\.eq|Be|Equal|StrictEqual|Contain|Match)|(?:to )?eq(?:ual)?(?:s|To|_to)?|is(?:Equal|Same)?(?:To)?|should(?:\.equal|Be|Equal|_eq)|Equals?|Be)`;

export const CODE: readonly Rule[] = [
  {
    kind: "credential",
    keywords: [
      "login",
      "log_in",
      "signin",
      "sign_in",
      "auth",
      "credential",
      "password(",
      "user(",
      "wifi.begin(",
    ],
    pattern:
      /(?:credentials?|\b(?:log_?in|sign_?in|authenticate|(?:HTTP)?basic_?auth|auth|(?:set|change|update|check|verify)_?password|(?:add|create)_?user|NetworkCredential(?:\]::new)?|UsernamePassword\w{0,20}|PSCredential[^\n'"]{0,30}))\s?[=:]?\s?[(\[]?\s?["'][^"'\n]{1,64}["']\s?,\s?["']([^"'\n\s]{4,128})(?=["'])/gi,
    looks: "chosen",
    secret: [
      'login("bob", "@[{pw:9}]@")',
      "auth=('bob', '@[{pw:9}]@')",
      'set_password("bob", "@[{pw:9}]@")',
    ],
    ordinary: ['login("bob", "password")', 'auth("read", "write")', 'add_user("bob", "ann")'],
  },
  {
    kind: "credential",
    keywords: ["basicauth", "basic_auth", "networkcredential", "wifi.begin("],
    pattern:
      /\b(?:(?:HTTP)?Basic_?Auth|NetworkCredential(?:\]::new)?|WiFi\.begin)\(\s?["'][^"'\n]{1,64}["']\s?,\s?["']([^"'\n\s]{5,128})(?=["'])/gi,
    looks: "password",
    secret: ['HTTPBasicAuth("bob", "@[{word:1}]@")', 'WiFi.begin("home", "@[{pw:9}]@");'],
    ordinary: ['basic_auth("user", "password")'],
  },
  {
    kind: "credential",
    keywords: ["connect", "pdo(", "mysqli(", "login(", "create_user(", "create_superuser("],
    // A password after the name of a user, in a call that opens or creates something with it.
    pattern:
      /\b(?:getConnection|new (?:PDO|mysqli)|\w{1,20}_p?connect|(?:pymysql|MySQLdb|pymssql|cx_Oracle|oracledb|\w{0,10}ssh\w{0,10})\.connect|\w{0,10}ftp\w{0,10}[._]login|create_(?:super)?user)\((?:[^()\n]{0,160}?,\s?)??["'][\w.@-]{1,64}["'],\s?["'](?![\w.-]{1,64}@[\w-]{1,64}\.)([^"'\n\s]{5,128})(?=["'])/g,
    looks: "password",
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
    // A password that is typed into a form field.
    pattern:
      /(?:password|passwd|pwd)["'\]]{1,4}\)?(?:,\s?(?:with:\s?)?|\)?\.(?:type|fill|sendKeys|send_keys|setValue)\()["']([^"'\n\s]{5,128})(?=["']\))/gi,
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
    pattern: /["']([^"'\n\s]{8,128})(?=["']\.toCharArray\(\))/g,
    looks: "chosen",
    secret: ['store.load(file, "@[{pw:9}]@".toCharArray());'],
    ordinary: ['"letters".toCharArray()'],
  },
  {
    kind: "secret",
    keywords:
      "jwt. createhmac hmac.new hash_hmac createcipheriv cookieparser cryptojs aes.new secretkeyspec"
        .split(" "),
    pattern:
      /\b(?:jwt\.(?:sign|verify|encode|decode)|createHmac|hmac\.new|hash_hmac|createCipheriv|cookieParser|CryptoJS\.\w{2,10}\.(?:en|de)crypt|AES\.new|SecretKeySpec)[( ](?:(?:[^,\n"'{}]{1,80}|["'][^"'\n]{1,40}["']|\{[^{}\n]{0,160}\}),\s{0,4}){0,2}b?["'`]([^"'`\n]{6,256})(?=["'`])/g,
    looks: "chosen",
    secret: [
      'jwt.sign(user, "@[{pw:12}]@")',
      'jwt.encode({"a": 1}, "@[{pw:12}]@")',
      'createHmac("sha256", "@[{an:19}7]@")',
      'CryptoJS.AES.encrypt(text, "@[{pw:12}]@")',
      "hash_hmac('sha256', $data, '@[{pw:12}]@')",
    ],
    ordinary: ['createHmac("sha256", key)', 'jwt.verify(token, "secret")'],
  },
  {
    kind: "command-line",
    keywords: KEYWORDS,
    pattern: anyCase(
      String
        .raw`${OPEN}--?(?:[a-z0-9]{1,20}[-_]){0,3}(?:${NAME}|pass|api-key|(?:auth|access|secret)-?key)${OPEN},\s{0,40}(?!.-)${QUOTED}`,
    ),
    looks: "password",
    secret: ['args: ["--db-password", "@[{word:1}]@"]', "CMD ['run', '--api-token', '@[{pw:9}]@']"],
    ordinary: ['["--token", "--all"]', '["--password", "$PASSWORD"]', '["token", "keyword"]'],
  },
  {
    kind: "command-line",
    keywords: ["mysql", "mariadb", "mongo", "sshpass"],
    pattern:
      /["'](?:mysql\w{0,10}|mariadb[\w-]{0,10}|mongo\w{0,10}|sshpass)["'],[^\n\]]{0,200}?["']-p(?:["'],\s{0,4}["'])?([^\s"'-][^\s"']{3,127})(?=["'])/g,
    looks: "any",
    secret: ["run(['mysql', '-u', 'root', '-p@[{pw:9}]@'])", 'f("sshpass", "-p", "@[{pw:9}]@")'],
    ordinary: ['run(["mysql", "-u", "root", "-p", "-h"])'],
  },
  {
    kind: "secret",
    keywords: KEYWORDS,
    pattern: anyCase(
      String
        .raw`${NAME}(?:\s?=\s?(?:async )?)?\s?\([^()\n]{0,80}\)[^(){};\n"'\`=]{0,40}(?:\{|:|=>?|->)\s{0,40}(?:return\s{1,4})?${QUOTED}`,
    ),
    looks: "chosen",
    secret: [
      'String getPassword() { return "@[{pw:9}]@"; }',
      'def db_password(self):\n    return "@[{an:11}7]@"',
      "const apiKey = () => '@[{an:20}7]@';",
    ],
    ordinary: ['getToken() { return "Bearer"; }', "password(x) { return `a`; }"],
  },
  {
    kind: "secret",
    keywords: KEYWORDS,
    pattern: anyCase(
      String
        .raw`${NAME}["'\]]{0,2}(?:\(\)|\?)?["'\]]{0,2}(?:\)?\.|\)?,\s?)${EXPECTED}\(\s?${QUOTED}`,
    ),
    looks: "chosen",
    secret: [
      'expect(config.password).toBe("@[{pw:9}]@");',
      'assertThat(app.getClientSecret(), equalTo("@[{an:31}7]@"));',
      'assertThat(app.getToken()).isEqualTo("@[{an:31}7]@");',
    ],
    ordinary: ['expect(token).toBe("keyword")', 'expect(token).toEqual("string-literal")'],
  },
  {
    kind: "secret",
    keywords: KEYWORDS,
    pattern: anyCase(
      String
        .raw`\b(?:assert\w{0,20}|(?:are)?equals?)!?\(\s?(?:t,\s?)?[\w.$>()[\]-]{0,60}${NAME}(?:\(\))?,\s?${QUOTED}`,
    ),
    looks: "chosen",
    secret: [
      'assertEquals(config.getPassword(), "@[{pw:9}]@");',
      "assert_eq!(a.secret, '@[{pw:9}]@')",
    ],
    ordinary: ['assertEquals(token, "keyword")'],
  },
  {
    kind: "secret",
    keywords: KEYWORDS,
    pattern: anyCase(
      String
        .raw`\b(?:assert\w{0,20}|(?:are)?equals?)!?\(\s?(?:t,\s?)?${OPEN}(${VALUE})(?=${OPEN},\s?[\w.$>-]{0,60}${NAME}(?:\(\))?\s?[,)])`,
    ),
    looks: "chosen",
    secret: ['Assert.Equal("@[{pw:9}]@", proxy.HttpProxyPassword);'],
    ordinary: ['assertEquals("keyword", token)'],
  },
  {
    kind: "credential",
    keywords: ["://"],
    // A password after an address and a user.
    pattern:
      /["'][a-z][a-z0-9+.-]{1,12}:\/\/[^\s"']{3,200}["'],\s{0,4}["'][\w.@\\-]{1,64}["'],\s{0,4}["']([^\s"']{5,128})(?=["']\s{0,4}[,)])/g,
    looks: "chosen",
    secret: ['Client("https://a.example", "bob", "@[{pw:9}]@", false)'],
    ordinary: ['Client("https://a.example", "bob", "name")'],
  },
  {
    kind: "password",
    keywords: ["credential", "creds", "logins", "passwords", "passwds"],
    pattern:
      /(?:credentials|creds|logins|passwords|passwds)["']?\s{0,4}(?:[:=]|=>|:=)\s{0,4}(?:array|dict|[\w[\]]{1,30}(?=\{))?[[({]([^[\]{}]{4,4000})(?=[\])}])/gi,
    parts: /["'][^"'\n]{1,64}["']\s{0,4}(?:,|:|=>)\s{0,4}["']([^\s"']{5,128})(?=["'])/g,
    looks: "chosen",
    secret: [
      'credentials = [("admin", "@[{pw:9}]@"), ("bob", "@[{an:8}7]@")]',
      "$passwords = array('admin' => '@[{pw:9}]@');",
    ],
    ordinary: ['credentials: { "mode": "same-origin" }', 'logins = ["bob", "ann"]'],
  },
  {
    kind: "password",
    keywords: ["default("],
    pattern: anyCase(
      String
        .raw`${NAME}\w{0,20}["']?\s{0,4}[:=]\s{0,4}["']?\{\{[^{}\n]{0,160}?default\(\s?["']([^"'\n]{4,128})(?=["'])`,
    ),
    looks: "password",
    secret: ["db_password: \"{{ lookup('env', 'P') | default('@[{word:1}]@') }}\""],
    ordinary: ["db_password: \"{{ p | default('') }}\"", "password: \"{{ p | default('none') }}\""],
  },
  {
    kind: "secret",
    keywords: ["value"],
    // A secret in a pair that has its name after its value.
    pattern: anyCase(
      String
        .raw`\bvalue["']?\s{0,4}[:=]\s{0,4}["']([^"'\n]{5,512})(?=["'][,;]?\s{1,40}["']?(?:name|key)["']?\s{0,4}[:=]\s{0,4}["'][\w.-]{0,60}${NAME}["'])`,
    ),
    looks: "chosen",
    secret: ['{ "value": "@[{pw:9}]@", "name": "DB_PASSWORD" }'],
    ordinary: ['{ "value": "true", "name": "DB_PASSWORD" }'],
  },
];
