// Secrets in addresses, links and connection strings. Pure.

import type { Rule } from "./rule.ts";

const ASSIGNED_PASSWORD = ["=", " =", "  ="].flatMap((mark) => [`password${mark}`, `pwd${mark}`]);

/**
 * Matches the part of an address after which a key follows: a path segment such as `token`, or a host with a key in
 * all of its paths.
 */
const KEY_FOLLOWS = String
  .raw`:\/\/(?:[\w.:-]{1,120}\/(?:[\w.%~-]{1,60}\/){0,6}?(?:v\d{1,2}|tokens?|keys?|api-?keys?|secrets?|auth|login|private|unsubscribe|activat(?:e|ion)|eth|rpc|integrations?|generic\/\d{4,8}\/alert|invites?|invitations?|magic(?:-?link)?|(?:password-?)?resets?(?:-password)?|(?:verify|confirm)(?:-email)?)|(?:(?:web)?hooks?|rpc)\.[\w.-]{1,80}|[\w-]{1,60}\.quiknode\.pro)\/`;
const END_OF_PART = "(?=[\\/?#\"'`\\s)<,;]|$)";

/** The rules, the more precise ones first. */
export const ADDRESSES: readonly Rule[] = [
  {
    kind: "url-credentials",
    keywords: ["://"],
    pattern:
      /:\/\/[^\s:@/?#"'<>`]{0,128}(?:@[\w.-]{1,80})?:([^\s"'<>`/@]{1,256}(?:@[^\s"'<>`/@:.]{1,64}){0,2})(?=@[^\s@]|@$)/g,
    looks: "any",
    secret: [
      "git clone https://bob:@[{pw:12}]@@host/a.git",
      "redis://:@[{an:16}]@@cache:6379",
      "smtps://bob@a.example:@[{an:8}7]@@b.example",
    ],
    ordinary: ["https://host:8080/a@b", "https://bob:${PASSWORD}@host", "https://bob@host:22/a"],
  },
  {
    kind: "url-credentials",
    keywords: ["://"],
    pattern:
      /:\/\/(?<=(?:postgres|postgresql|mysql|mariadb|mongodb|\+srv|redis|rediss|amqps?|ftps?|sftp|smtps?|ldaps?|mssql|clickhouse|nats):\/\/)[^\s:@/?#"'<>`]{0,128}:([^\s"'<>`@]{1,256})(?=@[\w[])/gi,
    looks: "any",
    secret: ["postgres://app:@[{an:6}/{an:6}]@@db/shop"],
    ordinary: ["postgres://db:5432/shop", "mysql://app:<password>@db/shop"],
  },
  {
    kind: "url-credentials",
    keywords: ["://"],
    pattern: /:\/\/([^\s:@/?#"'<>`]{16,256})(?=(?::[^\s:@/?#"'<>`]{0,64})?@[\w[])/g,
    looks: "random",
    secret: ["https://@[{hex:32}]@@sentry.example/1", "https://@[{hex:40}]@:~[x-oauth]~@host/a"],
    ordinary: ["ssh://build-user-of-team@host/a"],
  },
  {
    kind: "url-credentials",
    keywords: ["jdbc:oracle"],
    pattern: /jdbc:oracle:thin:[\w.-]{1,64}\/([^\s"'<>`@]{1,128})(?=@)/gi,
    looks: "any",
    secret: ["jdbc:oracle:thin:scott/@[{pw:10}]@@//db:1521/orcl"],
    ordinary: ["jdbc:oracle:thin:@db:1521:orcl"],
  },
  {
    kind: "signed-url",
    pattern:
      /[?&;](?:amp;)?(?:X-Amz-(?:Signature|Security-Token|Credential)|X-Goog-(?:Signature|Credential)|X-Oss-Signature|X-Tos-Signature|AWSAccessKeyId|OSSAccessKeyId|Signature|sig|signature|hmac|sign|Policy|token|access_token|id_token|refresh_token|auth|auth_token|authkey|apikey|api_key|api-key|key|appid|secret|client_secret|code|password|pwd|pass|sas|st|hash|oauth_token|oauth_signature|crumb|rlkey|passkey|appkey|licen[sc]ekey|verification_code|login_hash|pat|otp|ticket|jwt|session|sessionid|sid|magic|invite)=([^\s"'<>&#;`)\\\]]{12,4096})/gi,
    looks: "random-no-id",
    secret: ["https://a/b?X-Amz-Signature=@[{hex:64}]@&x=1", "https://a/b?x=1&sig=@[{an:40}%3D]@"],
    ordinary: [
      "https://a/b?token=123e4567-e89b-42d3-a456-426614174000",
      "https://a/b?code=not-found-again",
    ],
  },
  {
    kind: "signed-url",
    keywords: ["key=", "secret=", "token=", "auth="],
    pattern:
      /[?&](?:api[_-]?key|key|secret|access_token|client_secret|auth)=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/gi,
    looks: "any",
    secret: ["https://a/b?x=1&key=@[{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}]@"],
    ordinary: ["https://a/b?id=123e4567-e89b-42d3-a456-426614174000"],
  },
  {
    kind: "signed-url",
    keywords: ["&sig=", ";sig="],
    pattern:
      /(?<![\w&;-])(?:s[a-z]{1,5}=[^\s&"'<>`]{1,160}&(?:amp;)?){2,14}sig=[A-Za-z0-9%+\/=_-]{16,256}/g,
    looks: "any",
    secret: ["https://a/b?@[sv=2022-11-02&sr=c&sp=r&sig={an:40}%3D]@"],
    ordinary: ["https://a/b?sv=2022-11-02&sr=c&sp=r&sig=<signature>"],
  },
  {
    kind: "api-url",
    keywords: ["/api/", "//api."],
    pattern:
      /\/(?:\/api\.[\w.-]{3,80}|api)\/(?:[\w.$-]{1,40}\/){0,6}(?<!\/(?:status|badge|Grade)\/)([A-Za-z0-9]{16,64})(?=[/?"'`\s]|$)/gi,
    looks: "rare",
    secret: ["https://a.example/api/v1/@[{low:24}]@/telemetry"],
    ordinary: [
      "https://a.example/api/v1/applicationsOfUsers2/list",
      "https://a.example/api/projects/status/k7qw2xt9zr4mbv8a",
    ],
  },
  {
    kind: "api-url",
    keywords: ["://"],
    pattern: new RegExp(String.raw`${KEY_FOLLOWS}([\w-]{20,256})${END_OF_PART}`, "gi"),
    looks: "rare",
    secret: [
      "https://hook.eu1.example.com/@[{low:32}]@",
      "https://a.example/reset-password/@[{an:24}]@",
    ],
    ordinary: [
      "https://a.example/v1/applicationsOfUsers2/list",
      "https://a.example/v1/123e4567-e89b-42d3-a456-426614174000",
    ],
  },
  {
    kind: "api-url",
    keywords: ["://"],
    pattern: new RegExp(`${KEY_FOLLOWS}([0-9a-f]{32,64})${END_OF_PART}`, "gi"),
    looks: "random",
    secret: ["https://mainnet.example/v3/@[{hex:32}]@"],
    ordinary: ["https://a.example/avatar/d41d8cd98f00b204e9800998ecf8427e"],
  },
  {
    kind: "url-credentials",
    keywords: ["@tcp(", "@unix("],
    pattern: /\b[\w.-]{1,64}:([^\s:@"'`/]{3,128})(?=@(?:tcp|unix)\()/g,
    looks: "any",
    secret: ['"root:@[{word:1}]@@tcp(db:3306)/a"'],
    ordinary: ["root:<password>@tcp(db:3306)/a"],
  },
  {
    kind: "url-credentials",
    keywords: ["localhost", ..."123456789"].map((host) => `@${host}`),
    pattern:
      /(?<![\w.+-])[\w.\\/-]{1,64}:([^\s:@"'`/]{4,128})(?=@(?:(?:\d{1,3}\.){3}\d{1,3}|localhost)(?![\w.]))/g,
    looks: "chosen",
    secret: ["wmiexec.py corp/bob:@[{pw:9}]@@10.0.0.1", "bob:@[{pw:9}]@@localhost:5432"],
    ordinary: ["bob:names@10.0.0.1", "npm:string-width4@4.2.0"],
  },
  {
    kind: "url-credentials",
    keywords: ["ss://", "ssr://", "vmess://", "trojan://"],
    pattern:
      /\b(?:(?:ssr?|vmess):\/\/(?=[\w+/-]{20})|trojan:\/\/(?=[^\s@"'<>]{6,128}@))([^\s@"'<>#?]{6,2048})/g,
    looks: "chosen",
    secret: ["vmess://@[{b64:60}]@", "trojan://@[{pw:9}]@@host:443"],
    ordinary: ["wss://host/a", "trojan://<password>@host"],
  },
  {
    kind: "signed-url",
    keywords: ["%3d"],
    pattern:
      /(?:sig|signature|token|key|secret|password)%3D((?:[\w.~+/-]|%(?!26|22|20)[0-9a-f]{2}){10,1024})/gi,
    looks: "random",
    secret: ["https://a/?next=%2Fb%3Fsig%3D@[{an:32}]@%26x%3D1"],
    ordinary: ["https://a/?next=%2Fb%3Fkey%3Dnames-of-files"],
  },
  {
    kind: "slack-webhook",
    keywords: ["hooks.slack.com/"],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_-]{30,256}(?<!-))/g,
    looks: "any",
    secret: ["https://hooks.slack.com/services/@[T{up:8}/B{up:8}/{an:24}]@"],
    ordinary: ["https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"],
  },
  {
    kind: "slack-webhook",
    keywords: ["hooks.slack.com/"],
    pattern: /hooks\.slack\.com\/(?:services|triggers)\/\w{1,20}\/\w{1,20}\/([A-Za-z0-9]{20,64})/g,
    looks: "any",
    secret: ["https://hooks.slack.com/services/TEXAMPLE/BEXAMPLE/@[{an:24}]@"],
    ordinary: ["https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"],
  },
  {
    kind: "discord-webhook",
    keywords: ["/api/webhooks/"],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/([A-Za-z0-9/_-]{60,256}(?<!-))/g,
    looks: "token",
    secret: ["https://discord.com/api/webhooks/@[{d:18}/{b64u:67}a]@"],
    ordinary: ["https://discord.com/api/webhooks/123/abc"],
  },
  {
    kind: "teams-webhook",
    keywords: ["office.com/webhook"],
    pattern:
      /(?:webhook\.office\.com\/webhookb2|outlook\.office\.com\/webhook)\/([A-Za-z0-9_~%@/-]{40,256}(?<!-))/g,
    looks: "token",
    secret: [
      "https://a.webhook.office.com/webhookb2/@[{hex:32}@{hex:32}/IncomingWebhook/{hex:32}]@",
    ],
    ordinary: ["https://outlook.office.com/webhook/<id>"],
  },
  {
    kind: "tencent-webhook",
    keywords: ["qyapi.weixin.qq.com/"],
    pattern: /qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=([A-Za-z0-9_-]{30,256}(?<!-))/g,
    looks: "token",
    secret: ["https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=@[{hex:8}-{hex:4}-{hex:22}]@"],
    ordinary: [
      "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxx",
    ],
  },
  {
    kind: "zapier-webhook",
    keywords: ["hooks.zapier.com/"],
    pattern: /hooks\.zapier\.com\/hooks\/catch\/([A-Za-z0-9/_-]{10,256}(?<!-))/g,
    looks: "token",
    secret: ["https://hooks.zapier.com/hooks/~[catch]~/@[{d:7}/{low:7}]@/"],
    ordinary: ["https://hooks.zapier.com/hooks/catch/a/b"],
  },
  {
    kind: "webhook",
    keywords: ["/with/key/", "hook"],
    pattern: /\/(?:with\/key|webhooks?|hooks?)\/([\w/-]{20,256})/gi,
    looks: "random",
    secret: ["https://a.example/hooks/@[{an:32}]@"],
    ordinary: [
      "lib/hooks/use_memory_of_session/index",
      "/services/1cb4dnqcyx6m66g2t538x3rxh/update",
    ],
  },
  {
    kind: "connection-string",
    keywords: ["accountkey=", "sharedaccess", "accesskey=", "sharedsecretvalue="],
    pattern:
      /(?:^|[;"'\s?&])(?:AccountKey|SharedAccessKey|SharedAccessSignature|AccessKey|SharedSecretValue)=([^\s;"'{}<>\\]{4,1024})/gi,
    looks: "any",
    secret: ["AccountName=a;AccountKey=@[{b64:86}==]@;EndpointSuffix=b"],
    ordinary: ["AccountName=a;AccountKey=;EndpointSuffix=b", "Endpoint=a;AccessKey=<key>"],
  },
  {
    kind: "connection-string",
    keywords: ASSIGNED_PASSWORD,
    pattern:
      /=[^=;"'\n]{1,128}; {0,2}(?:Password|Pwd|User Password) {0,2}= {0,2}([^\s;"'{}<>\\]{4,1024})/gi,
    looks: "any",
    secret: ["Server=db;User Id=app;Password=@[{an:9}]@;Encrypt=True"],
    ordinary: ["Server=db;User Id=app;Password=;Encrypt=True", "x = a; password = null;"],
  },
  {
    kind: "connection-string",
    keywords: ["password=", "pwd="],
    pattern:
      /\b(?:host|hostaddr|user|user ?name|dbname|port)=[^\s"'&,;]{1,128}(?:(?: {1,3}|[&,])\w{1,30}=[^\s"'&,;]{0,128}){0,6}(?: {1,3}|[&,])(?:password|pwd)=([^\s"'&,;<>()]{4,256})(?=[\s"'&,;]|$)/gi,
    looks: "password",
    secret: [
      "host=db user=app password=@[{word:1}]@ dbname=a",
      "?user=app&password=@[{pw:9}]@&a=b",
    ],
    ordinary: [
      "host=db user=app password=$PASSWORD",
      "connect(user=name, password=db_pass, port=1)",
    ],
  },
  {
    kind: "connection-string",
    keywords: ASSIGNED_PASSWORD,
    pattern: /; {0,2}(?:Password|Pwd) {0,2}= {0,2}\{([^{}\n]{3,256})(?=\})/gi,
    looks: "chosen",
    secret: ["Driver=a;Uid=b;Pwd={@[{an:5};{an:6}1]@};"],
    ordinary: ["Driver=a;Uid=b;Pwd={password};"],
  },
];
