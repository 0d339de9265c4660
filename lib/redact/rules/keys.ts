// Keys: PEM and related formats (whole, cut at either end, quoted or indented), JSON and XML keys, and keys of
// clouds. Certificates and public keys stay. Pure.

import type { Rule } from "./rule.ts";

/** A blank between words of a PEM line, as written or as encoded in an address. */
const BLANK = String.raw`(?:[ _]{1,3}|%20|\+)`;
const NAME = `(?:[A-Z0-9]{1,12}${BLANK}){0,3}PRIVATE${BLANK}KEY(?:${BLANK}BLOCK)?(?: ?-{1,5})?`;
const BEGIN = `(?:-{4,5} ?BEGIN${BLANK}${NAME}|Private-Lines: ?[0-9]{1,4})`;
const END = `(?:-{4,5} ?END${BLANK}${NAME}|Private-MAC: ?[0-9a-f]{20,64})`;
/** Marks that quotes and source code put around a line. */
const AROUND = "\\s\"'`+>|#*,;\\\\";
/** The prefix of a line in logs, `cat -n` and `grep -n`: a time, a number, or a name. */
const NUMBER = String
  .raw`(?:#?[0-9]{1,6}(?: [0-9]{1,6}\.[0-9]{1,6})?[ \t:.|\u2192]|\[?[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.,]{5,15}Z?\]?|[\w.\/-]{1,60}:[0-9]{1,6}[:-]|[\w.-]{1,30} {0,16}\|)[ \t]{0,8}`;
/** One line of a key, or the rest of a line. */
const LINE = String
  .raw`[${AROUND}]{0,40}(?:${NUMBER})?(?:[A-Za-z0-9+/]{16,200}={0,2}|(?:Proc-Type|DEK-Info|Version|Comment|Encryption|Public-Lines|Private-Lines|Hash): ?[^\n\\]{0,120}|[A-Za-z0-9+/=]{1,80}(?=\s{0,4}$|\\|["'\`]|\s{0,4}-{4}|\n))`;

export const KEYS: readonly Rule[] = [
  {
    kind: "private-key",
    keywords: [
      ..."private key|private  key|private_key|private%20key|private+key".split("|"),
      "private-lines",
    ],
    pattern: new RegExp(`${BEGIN}(?:(?:(?!${BEGIN})[^]){0,20000}?${END}|(?:${LINE}){0,1000})`, "g"),
    looks: "key-block",
    secret: [
      "~[-----BEGIN RSA PRIVATE KEY-----]~\n@[MIIE{b64:60}]@\n@[{b64:64}]@\n~[-----END RSA PRIVATE KEY-----]~",
      "cut ~[-----BEGIN PRIVATE KEY-----]~\n@[MIIE{b64:60}]@\n@[{b64:30}]@",
      "   1\u2192~[-----BEGIN PRIVATE KEY-----]~\n   2\u2192@[{b64:64}]@\n   3\u2192@[{b64:30}]@",
      "~[key.pem]~:1:~[-----BEGIN PRIVATE KEY-----]~\n~[key.pem]~:2:@[{b64:64}]@\n~[key.pem]~:3:@[{b64:64}]@",
      "~[-----BEGIN%20RSA%20PRIVATE%20KEY-----%0A]~@[MIIE{b64:60}]@~[%0A-----END%20RSA%20PRIVATE%20KEY-----]~",
    ],
    ordinary: [
      "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
      "It looks for -----BEGIN PRIVATE KEY----- in the text of a file.",
    ],
  },
  {
    kind: "private-key",
    keywords: [
      ..."private key|private  key|private_key|private%20key|private+key".split("|"),
      "private-mac",
    ],
    // A sequence of lines is matched once, from its first line.
    pattern: new RegExp(
      String
        .raw`(?<![A-Za-z0-9+/=])(?=[A-Za-z0-9+/]{16})(?<![A-Za-z0-9+/]{16}={0,2}[${AROUND}]{1,24})(?:(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{16,128}={0,2}(?![A-Za-z0-9+/=])[${AROUND}]{1,24}){1,1000}${END}`,
      "g",
    ),
    secret: ["@[{b64:30}]@\n@[{b64:64}]@\n@[{b64:64}]@\n~[-----END RSA PRIVATE KEY-----]~"],
    ordinary: ["A block ends in -----END PRIVATE KEY-----"],
  },
  {
    kind: "private-key",
    // Keys without BEGIN and END lines: the Base64 text with which the DER form of each kind of key begins.
    keywords: ["ibaa", "ibad", "agea", "agebb", "mhccaqee", "mc4caqaw", "bgkqhkig9w0bbq", "ibazcc"],
    pattern:
      /(?<![A-Za-z0-9+/])(?:MII[A-J][A-Za-z0-9+/]{2}IB(?:AA[JK]|ADA|AzC)|MII[A-J][A-Za-z0-9+/]{4}BgkqhkiG9w0BBQ|MI[GH][A-Za-z0-9+/](?:AgEAM|AgEBB)|MHcCAQEE|MC4CAQAwBQYDK2V)(?:[A-Za-z0-9+/]{1,100}(?:[\s"'+,\\]{0,24}(?=[A-Za-z0-9+/]{16}|[A-Za-z0-9+/]{1,16}={1,2}))?){1,200}={0,2}/g,
    looks: "key-block",
    secret: [
      'KEY = "@[MIIEowIBAAKCAQEA{b64:60}]@"',
      "<data>\n  @[MIIEvQIBADANBgkq{b64:48}]@\n  @[{b64:64}]@\n</data>",
      "@[MHcCAQEEI{b64:60}]@==",
    ],
    ordinary: ["MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa", "MIIBIjANBgkqhkiG9w0BAQ"],
  },
  {
    kind: "private-key",
    // A private key of web push, before its public key.
    keywords: [":b"],
    pattern: /(?<![\w-])[\w-]{43}(?=:B[A-P][\w-]{85}(?![\w-]))/g,
    looks: "random",
    secret: ["@[{b64u:43}]@:~[BE{b64u:85}]~"],
    ordinary: ["names_of_the_parts_of_the_whole_thing_x:Beginning"],
  },
  {
    kind: "private-key",
    keywords: ["0x", "byte"],
    // A key as a list of bytes.
    pattern:
      /(?:(?:aes|secret|private|encryption|cipher|hmac|master)_?key|secret|password)\w{0,10}(?:\[\w{0,10}\])?["']?\s{0,4}(?:[:=]\s{0,4})?(?:new )?(?:\[\]\s?)?(?:byte(?:\[\]|Array)?|u?int8_t|Uint8Array\.(?:from|of)|bytes)?\s{0,4}[({[]{1,2}((?:\s{0,40}(?:0x[0-9a-f]{1,2}|\d{1,3})\s{0,4}(?:,|(?=[\s\])}]))){12,128})/gi,
    looks: "any",
    secret: [
      "aes_key[16] = {@[0x{hex:2}, 0x{hex:2}, 0x{hex:2}, 0x{hex:2}, 0x{hex:2}, 0x{hex:2}, 0x{hex:2}, 0x{hex:2}, 0x{hex:2}, 0x{hex:2}, 0x{hex:2}, 0x{hex:2}]@};",
      "Secret: []byte{@[1{d:2}, 9, 1{d:2}, 4, 2{d:1}, 7, 8{d:1}, 217, 22, 6, 0, 172]@}",
    ],
    ordinary: ["key_sizes = {16, 24, 32}", "byte secret = 0x12"],
  },
  {
    kind: "azure-key",
    keywords: ["=="],
    pattern:
      /(?:["'](?:key1|key2|primaryKey|secondaryKey|value)["']\s?:\s?["']|Cosmos\w{0,12}\([^()\n]{1,80},\s?["'])([A-Za-z0-9+/]{86}==)(?=["'])/g,
    looks: "random",
    secret: ['"key1": "@[{b64:86}==]@"'],
    ordinary: ['"key1": "YWJj=="'],
  },
  {
    kind: "aws-secret-key",
    keywords: ["akia", "asia"],
    pattern:
      /\b(?:AKIA|ASIA)[A-Z0-9]{16}["'`]?[\s,:/|;]{1,8}["'`]?([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/g,
    looks: "random",
    secret: ["~[AKIA{b32:16}]~,@[{b64:40}]@"],
    ordinary: ["AKIA and ASIA are prefixes"],
  },
  {
    kind: "client-secret",
    keywords: ["ltai", "ac", "apps.googleusercontent.com"],
    // A secret after the id that it belongs to.
    pattern:
      /(?:\bLTAI[A-Za-z0-9]{12,20}|\bAC[0-9a-f]{32}|apps\.googleusercontent\.com)["'`]?[\s,:;|]{1,12}["'`]?([\w-]{24,32})(?![\w-])/g,
    looks: "random",
    secret: [
      "f(~[LTAI{an:16}]~, @[{an:30}]@)",
      "AC{hex:32}:@[{hex:32}]@",
      "1234-{low:32}.apps.googleusercontent.com\n@[{b64u:24}]@\n",
    ],
    ordinary: ["a.apps.googleusercontent.com, and_names_of_other_clients"],
  },
  {
    kind: "private-key",
    keywords: ["<d>", "<p>", "<q>", "<dp>", "<dq>", "<inverseq>"],
    pattern: /<(?:D|P|Q|DP|DQ|InverseQ)>([A-Za-z0-9+/=\s]{40,2000})(?=<)/g,
    looks: "random",
    secret: ["<Modulus>{b64:80}</Modulus><D>@[{b64:80}]@</D>"],
    ordinary: ["<p>a paragraph of plain words and so on and on and on</p>", "<P>AQAB</P>"],
  },
  {
    kind: "private-key",
    pattern: /["'](?:d|p|q|dp|dq|qi|k)["']\s{0,4}:\s{0,4}["']([A-Za-z0-9_-]{40,1400})(?=["'])/g,
    looks: "random",
    secret: ['{ "kty": "EC", "x": "{b64u:43}", "d": "@[{b64u:43}]@" }'],
    ordinary: ['{ "d": "M0-0h24v24" }'],
  },
];
