// Words that name a secret, in code, in files and in several languages. Pure.
//
// Every word needs a part in `hints.ts`.

import { anyCase, type Rule } from "./rule.ts";

/** The rules, the more precise ones first. The first rule that matches names the class. */
export const NAME_RULES: readonly Rule[] = [
  {
    kind: "private-key",
    reads: "name",
    pattern: anyCase(
      "private[-_ .]?key|priv[-_]?key|signing[-_ .]?key|ssh[-_]?key|deploy[-_]?key|host[-_]?key|" +
        "wallet[-_]?key|privateKey",
    ),
    looks: "named-secret",
    secret: ['private_key = "@[{an:32}]@"', "signingKey: @[{b64:40}]@"],
    ordinary: ["privateKey = loadKey()", "the private key is in the file"],
  },
  {
    kind: "api-key",
    reads: "name",
    pattern: anyCase(
      "(?:openai|azure|aws|gcp|google|stripe|cosmos|maps|search|speech|vision|functions?)[-_ ]?key|" +
        "(?:sendgrid|datadog|algolia|twilio|mailgun|rapid|pinecone|anthropic|segment|slack)[-_ ]?key|" +
        "api[-_ .]?key|api[-_]?secret|api[-_ ]?token|apikey|app[-_ ]?key|app[-_]?secret|application[-_ ]key|" +
        "consumer[-_ ]?key|subscription[-_ ]?key|license[-_ ]?key|licence[-_ ]?key|service[-_]?key|" +
        "integration[-_]?key|write[-_]?key|ingest(?:ion)?[-_]?key|instrumentation[-_]?key|" +
        "cl(?:\u00e9|e)[-_ ]api|clave[-_ ]api|chave[-_ ]api|api[-_ ]?schl(?:\u00fc|ue)ssel|" +
        "api[-_ ]?\u043a\u043b\u044e\u0447|\u043a\u043b\u044e\u0447 api|api ?\u5bc6\u94a5|api ?\u91d1\u9470|api ?\u30ad\u30fc|api ?\ud0a4",
    ),
    looks: "named-secret",
    secret: [
      "API_KEY=@[{an:32}]@",
      '"apiKey": "@[{an:24}]@"',
      "cl\u00e9 api: @[{an:24}]@",
      "clave api: @[{an:24}]@",
      "chave api: @[{an:24}]@",
      "api-schl\u00fcssel: @[{an:24}]@",
      "api \u043a\u043b\u044e\u0447: @[{an:24}]@",
      "\u043a\u043b\u044e\u0447 api: @[{an:24}]@",
      "api\u5bc6\u94a5: @[{an:24}]@",
      "api\u91d1\u9470: @[{an:24}]@",
      "api\u30ad\u30fc: @[{an:24}]@",
      "api\ud0a4: @[{an:24}]@",
    ],
    ordinary: ['apiKey = os.environ["API_KEY"]', "api-key: <your-key>"],
  },
  {
    kind: "access-key",
    reads: "name",
    pattern: anyCase(
      "access[-_ .]?key|secret[-_ .]?key|account[-_ ]?key|master[-_ ]?key|shared[-_ ]?key|session[-_ ]?key|" +
        "admin[-_ ]?key|auth(?:entication)?[-_ ]?key|activation[-_ ]?key|root[-_ ]?key|primary[-_ ]access[-_ ]key|" +
        "shared[-_ ]?access[-_ ]?(?:key|signature)",
    ),
    looks: "named-secret",
    secret: ["aws_secret_key = @[{b64:40}]@", 'accessKey: "@[{an:20}]@"'],
    ordinary: ["accessKey: string", "access_key_id = names"],
  },
  {
    kind: "access-key",
    reads: "name",
    pattern: anyCase("access[-_]?id|using[- ]key|storage[-_ ]?key"),
    looks: "named-random",
    secret: ['access_id = "@[{an:14}]@"', "using key = @[{hex:32}]@"],
    ordinary: ["access_id = user", "using key: users-of-account-1"],
  },
  {
    kind: "encryption-key",
    reads: "name",
    pattern: anyCase(
      "encryption[-_ ]?key|encrypt[-_]?key|crypt(?:o)?[-_]?key|cipher[-_ ]?key|decryption[-_ ]?key|aes[-_]?key|" +
        "hmac[-_ ]?key|data[-_ ]key(?!=[\"'{])|kms[-_]?key|fernet[-_]?key|jwt[-_ ]?key|app[-_]?key|cookie[-_]?key",
    ),
    looks: "named-secret",
    secret: ["ENCRYPTION_KEY=@[{hex:64}]@", "fernet-key: @[{b64u:43}=]@"],
    ordinary: ['<li data-key="item:12">', "encryption_key_size=256", "aesKey = new AesKey(32)"],
  },
  {
    kind: "client-secret",
    reads: "name",
    pattern: anyCase(
      "client[-_ .]?secret|consumer[-_ ]?secret|webhook[-_ ]?secret|signing[-_ ]?secret|shared[-_ ]?secret|" +
        "jwt[-_ ]?secret|session[-_ ]?secret|cookie[-_ ]?secret|oauth[-_ ]?secret|secret[-_]?access[-_]?key",
    ),
    looks: "named-secret",
    secret: ["client_secret=@[{an:32}]@", 'clientSecret: "@[{b64u:40}]@"'],
    ordinary: ["client_secret: ${CLIENT_SECRET}"],
  },
  {
    kind: "passphrase",
    reads: "name",
    pattern: anyCase("pass[-_ ]?phrase|phrase[-_ ]secr(?:\u00e8|e)te|frase[-_ ]de[-_ ]paso"),
    looks: "passphrase",
    secret: ["passphrase: @[{phrase:5}]@", 'pass phrase = "@[{pw:12}]@"'],
    ordinary: ["passphrase: string", "the passphrase is asked for"],
  },
  {
    kind: "password",
    reads: "name",
    pattern: anyCase(
      "pass[-_ ]?word|pa?s{1,2}w(?:o?r?d)|requirepass|masterauth|" +
        "(?:db|sql|pg|mongo|redis|user|root|sudo|smtp|mail|admin|ldap|bind|ssh|ftp|https?|proxy|vpn|wifi|vnc|irc|store|cert|pfx)(?:pass|pwd?)(?![a-z])|" +
        "identified by(?! `)|passwort|kennwort|contrase(?:\u00f1|n)a|mot[-_ ]de[-_ ]passe|senha|" +
        "wachtwoord|parola(?:[-_ ]d'ordine)?|has(?:\u0142|l)o|l(?:\u00f6|o)senord|salasana|(?:\u015f|s)ifre(?:si)?|heslo|" +
        "jelsz(?:\u00f3|o)|adgangskode|passord|m(?:\u1ead|a)t kh(?:\u1ea9|a)u|kata sandi|parol(?:\u0103|\u0105|e)|" +
        "\u043f\u0430\u0440\u043e\u043b(?:\u044c|\u044f|\u0435\u043c|\u0456)|\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2|" +
        "\u5bc6\u7801|\u5bc6\u78bc|\u53e3\u4ee4|\u30d1\u30b9\u30ef\u30fc\u30c9|\ube44\ubc00\ubc88\ud638|" +
        "\u0e23\u0e2b\u0e31\u0e2a\u0e1c\u0e48\u0e32\u0e19|\u0643\u0644\u0645\u0629 (?:\u0627\u0644)?(?:\u0633\u0631|\u0645\u0631\u0648\u0631)|\u05e1\u05d9\u05e1\u05de\u05d4|" +
        "\u092a\u093e\u0938\u0935\u0930\u094d\u0921",
    ),
    looks: "password",
    secret: [
      "password=@[{pw:10}]@",
      'password = "@[silverRocketLadder]@"',
      'the password "@[{word:1}]@" was shared',
      "Das Passwort lautet @[{pw:10}]@.",
      '"passwd": "@[{pw:10}]@"',
      "Kennwort: @[{pw:10}]@",
      "contrase\u00f1a: @[{pw:10}]@",
      "mot de passe: @[{pw:10}]@",
      "senha: @[{pw:10}]@",
      "wachtwoord: @[{pw:10}]@",
      "parola: @[{pw:10}]@",
      "has\u0142o: @[{pw:10}]@",
      "l\u00f6senord: @[{pw:10}]@",
      "salasana: @[{pw:10}]@",
      "\u015fifre: @[{pw:10}]@",
      "heslo: @[{pw:10}]@",
      "jelsz\u00f3: @[{pw:10}]@",
      "adgangskode: @[{pw:10}]@",
      "passord: @[{pw:10}]@",
      "m\u1eadt kh\u1ea9u: @[{pw:10}]@",
      "kata sandi: @[{pw:10}]@",
      "\u043f\u0430\u0440\u043e\u043b\u044c: @[{pw:10}]@",
      "\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2: @[{pw:10}]@",
      "\u5bc6\u7801: @[{pw:10}]@",
      "\u5bc6\u78bc: @[{pw:10}]@",
      "\u53e3\u4ee4: @[{pw:10}]@",
      "\u30d1\u30b9\u30ef\u30fc\u30c9: @[{pw:10}]@",
      "\ube44\ubc00\ubc88\ud638: @[{pw:10}]@",
      "\u0e23\u0e2b\u0e31\u0e2a\u0e1c\u0e48\u0e32\u0e19: @[{pw:10}]@",
      "\u0643\u0644\u0645\u0629 \u0627\u0644\u0633\u0631: @[{pw:10}]@",
      "\u05e1\u05d9\u05e1\u05de\u05d4: @[{pw:10}]@",
      "\u092a\u093e\u0938\u0935\u0930\u094d\u0921: @[{pw:10}]@",
      "dbpw: @[{pw:10}]@",
      "MYSQLPASS: @[{pw:10}]@",
      'CURLOPT_USERPWD, "@[bob:{pw:10}]@"',
      "pswrd=@[{pw:10}]@",
    ],
    ordinary: [
      "password: string",
      "password_hash=k7Qw2xT9Zr",
      "the password is wrong",
      'password = "passwordField"',
      "the container identified by `identifier`",
      '"ansible_password", "ansible_timeout"',
      'alias("app.password_hasher", "app.user_password_hasher")',
      '"symfony/password-hasher": "^6.4|^7.0"',
      "NSS_BUFLEN_PASSWD: 1024",
      "'_password='.$encodedPassword,",
      'with("a.b.password=x", "a.b.driver-name=org.h2.Driver")',
      "if password_1 != password_2:",
      "(TokenMissingError) password missing on nofile:12:14:",
      'Password saslJaasConfig1 = new Password("x");',
      "password = Settings.SCRAM_PASSWORD_2",
      "erl_pass:translate_args/3",
      "password = base::UTF8ToUTF16",
      "'password.confirm' => \\Auth\\Middleware\\RequirePassword::class,",
      "$password = $matches[1];",
      'TLS_PSK_WITH_AES_256_CBC_SHA = "TLS_PSK_WITH_AES_256_CBC_SHA"',
      'password = "$..[?(@.used>21437)]"',
      "phx.gen.schema users password:string:redact",
      "`input-password`, `input-radio`",
      "\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2 ISBN-10",
      "register :argon2, SecurePassword::Argon2Password",
    ],
  },
  {
    kind: "password",
    reads: "name",
    pattern: alone("pwd|passcode|pass|psw|pswd|pw|psk|clave|pin code"),
    looks: "password",
    secret: ["pwd=@[{pw:10}]@", "DB_PASS: @[{pw:10}]@"],
    ordinary: [
      "--- PASS: TestParse/a_2 (0.00s)",
      "PWD: /home/bob",
      "compass=north1234",
      '"sha512-LT/5J6e2pSw=="}},"3.0.6":{',
      '"en_PW": "en_001"',
      "docker run -v $(PWD):/mnt:z x",
    ],
  },
  {
    kind: "token",
    reads: "name",
    pattern: anyCase(
      "auth[-_ .]?token|access[-_ .]?token|refresh[-_ .]?token|bearer[-_ .]?token|bot[-_ .]?token|id[-_]?token|" +
        "personal[-_ ]access[-_ ]token|session[-_ .]?token|security[-_ ]?token|oauth[-_ ]?token|deploy[-_ ]?token|" +
        "user[-_ ]?token|private[-_ ]?token|service[-_ ]?token|registry[-_ ]?token|jeton|x-auth-token|csrf[-_ ]?token|" +
        "\u0442\u043e\u043a\u0435\u043d|\u4ee4\u724c|\u30c8\u30fc\u30af\u30f3|\ud1a0\ud070",
    ),
    looks: "named-secret",
    secret: [
      'access_token = "@[{b64u:40}]@"',
      "refreshToken: @[{an:40}]@",
      "jeton: @[{an:24}]@",
      "\u0442\u043e\u043a\u0435\u043d: @[{an:24}]@",
      "\u4ee4\u724c: @[{an:24}]@",
      "\u30c8\u30fc\u30af\u30f3: @[{an:24}]@",
      "\ud1a0\ud070: @[{an:24}]@",
    ],
    ordinary: ["access_token: <token>", "csrf_token_name=token"],
  },
  {
    kind: "secret",
    reads: "name",
    pattern: anyCase(
      "secret[-_ ]?key[-_ ]?base|secreto|secret|geheimnis|segredo|segreto|\u0441\u0435\u043a\u0440\u0435\u0442|" +
        "\u5bc6\u94a5|\u5bc6\u9470|\u79d8\u5bc6|\ube44\ubc00",
    ),
    looks: "named-secret",
    secret: [
      "SECRET=@[{an:24}]@",
      "the secret is @[{an:16}7]@.",
      "Geheimnis: @[{an:24}]@",
      "secreto: @[{an:24}]@",
      "segredo: @[{an:24}]@",
      "segreto: @[{an:24}]@",
      "\u0441\u0435\u043a\u0440\u0435\u0442: @[{an:24}]@",
      "\u5bc6\u94a5: @[{an:24}]@",
      "\u5bc6\u9470: @[{an:24}]@",
      "\u79d8\u5bc6: @[{an:24}]@",
      "\ube44\ubc00: @[{an:24}]@",
    ],
    ordinary: ["secretRef: names", "secrets.GITHUB", "secret = getSecret()"],
  },
  {
    kind: "token",
    reads: "name",
    pattern: anyCase("token"),
    looks: "named-random",
    secret: [
      "token: @[{an:24}]@",
      'TOKEN="@[{hex:32}]@"',
      'token: "@[{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}]@"',
    ],
    ordinary: ["token: string", "input_tokens: 1234567", "next_token=AbCdEf1234567890xyz"],
  },
  {
    kind: "credential",
    reads: "name",
    pattern: anyCase(
      "credential|\\bcreds?\\b|authorization|auth[-_ ]?code|auth[-_]?string|sas[-_ ]?(?:key|url)|" +
        "webhook|connection[-_ ]?string|\\bdsn\\b",
    ),
    looks: "named-random",
    secret: ["credentials: @[{an:24}]@", "SENTRY_WEBHOOK=@[{an:32}]@"],
    ordinary: ["credentials: include", "credentials = new Credentials()"],
  },
  {
    kind: "credential",
    reads: "name",
    pattern: alone("auth|otp|totp|pat|bearer|jwt"),
    looks: "named-random",
    secret: ['auth: "@[{an:24}]@"', "pat = @[{an:32}]@"],
    ordinary: [
      '"@octokit/core-auth": "npm:^1.4.0"',
      "auth: required",
      "author=someone12345678",
      "pattern = a1b2c3d4e5f6g7h8",
    ],
  },
  {
    kind: "key",
    reads: "name",
    pattern: alone("key"),
    looks: "named-long-key",
    secret: ['key: "@[{an:40}]@"'],
    ordinary: ["key: value", "key = d41d8cd98f00b204e9800998ecf8427e", "keyboard: Ctrl+F12"],
  },
];

/** Returns a pattern for words that also occur within other words. It matches them only as whole words. */
function alone(source: string): RegExp {
  return anyCase(`(?<![A-Za-z0-9+])(?:${source})(?![a-z]|[0-9][a-z0-9]{4})`);
}
