/**
 * Secrets that show by where they stand: in an address, a header, a signed link or a
 * connection string. Data: the first capture of a pattern is what leads to the secret and stays,
 * the second is the secret. Pure.
 *
 * @module
 */

import {
  isNoName,
  isPlaceholder,
  looksChosen,
  looksRandom,
  readsLikeName,
  UUID,
} from "../looks_like_secret.ts";
import type { Secret } from "../secret.ts";
import { COMMAND_LINES } from "./command_lines.ts";
import type { Structure } from "./context_rule.ts";
import { CREDENTIAL_FILES } from "./credential_files.ts";

const VALUE = String.raw`[^\s"'\`,;<>(){}\\|&]{4,512}`;

function anyCase(source: string): RegExp {
  return new RegExp(source, "gi");
}

/** Places of their own; the more precise ones first. */
export const PLACES: readonly Structure[] = [
  {
    kind: "url-credentials",
    pattern:
      /(:\/\/[^\s:@/?#"'<>`]{0,128}:)([^\s"'<>`/@]{1,256}(?:@[^\s"'<>`/@:.]{1,64}){0,2})(?=@[^\s@]|@$)/g,
    accepts: "any",
  },
  {
    kind: "url-credentials",
    pattern:
      /(:\/\/(?<=(?:postgres|postgresql|mysql|mariadb|mongodb|\+srv|redis|rediss|amqps?|ftps?|sftp|smtps?|ldaps?|mssql|clickhouse|nats):\/\/)[^\s:@/?#"'<>`]{0,128}:)([^\s"'<>`@]{1,256})(?=@[\w[])/gi,
    accepts: "any",
  },
  {
    kind: "url-credentials",
    pattern: /(:\/\/)([^\s:@/?#"'<>`]{16,256})(?=@[\w[])/g,
    accepts: "random",
  },
  {
    kind: "url-credentials",
    pattern: /(jdbc:oracle:thin:[\w.-]{1,64}\/)([^\s"'<>`@]{1,128})(?=@)/gi,
    accepts: "any",
  },
  {
    kind: "authorization",
    pattern: anyCase(
      String
        .raw`(authorization\\{0,3}["']{0,2}(?:\s{0,4}(?:[:=,]|=>)\s{0,4}|\s{1,4})[bf]?\\{0,3}["'\`]?(?:basic|bearer|token|apikey|api-key|key|digest|negotiate|oauth|splunk|sso-key|genieKey|bot|client-id|pave|discogs|rest|snowflake|klaviyo-api-key|gcp|jwt)[\s=:]{1,4})(${VALUE})`,
    ),
    accepts: "any",
  },
  {
    kind: "authorization",
    pattern: anyCase(
      String
        .raw`(authorization\\{0,3}["']{0,2}\s{0,4}(?:[:=,]|=>)\s{0,4}\\{0,3}["'\`]?)([^\s"'\`,;<>(){}\\|&]{12,512})(?=["'\`\s\\]|$)`,
    ),
    accepts: "random",
  },
  {
    kind: "authorization",
    pattern:
      /(authorization[^\n]{0,600}?(?:signature|response|oauth_token|mac|sig)=["']?)([\w+/=%-]{16,512})/gi,
    accepts: "random",
  },
  {
    kind: "authorization",
    pattern: /(\bbearer(?:\s{1,4}|%20|: ?|_)["'`]?)([\w.~+/=-]{10,4096})/gi,
    accepts: "random",
  },
  {
    kind: "authorization",
    pattern: /(\bbasic(?:\s{1,4}|%20)["'`]?)([A-Za-z0-9+/]{12,512}={0,2})(?![A-Za-z0-9+/])/gi,
    accepts: "random",
  },
  {
    kind: "cookie",
    pattern:
      /(\bset-cookie\d?\\{0,3}["']?\s{0,4}[:=,]\s{0,4}\\{0,3}["'`]?[\w.$!%~*+-]{1,80}=)([^\s;,"'\\]{6,4096})/gi,
    accepts: "any",
  },
  {
    kind: "cookie",
    pattern:
      /((?<!set-)\bcookies?\\{0,3}["']?\s{0,4}[:=,]\s{0,4}\\{0,3}["'`]?)([\w.$!%~*+-]{1,80}=[^\s;,"'\\]{1,4096}(?:; ?[\w.$!%~*+-]{1,80}=[^\s;,"'\\]{1,4096}){0,20})/gi,
    accepts: "pairs",
  },
  {
    kind: "cookie",
    pattern:
      /(\s(?:-b|--cookie)[ =]["']?)([\w.$!%~*+-]{1,80}=[^\s;,"'\\]{1,4096}(?:; ?[\w.$!%~*+-]{1,80}=[^\s;,"'\\]{1,4096}){0,20})/gi,
    accepts: "pairs",
  },
  {
    kind: "cookie",
    pattern:
      /((?:PHPSESSID|JSESSIONID|session_?id|connect\.sid|ASP\.NET_SessionId|\.ASPXAUTH|laravel_session|_[a-z]{2,30}_session|(?:__Secure-)?(?:next-auth|authjs)\.session-token|wordpress_logged_in_\w{1,64}|\b(?:__Host-)?sid)=)([^\s;,"'&\\]{10,4096})/gi,
    accepts: "query",
  },
  {
    kind: "signed-url",
    pattern:
      /([?&;](?:amp;)?(?:X-Amz-(?:Signature|Security-Token|Credential)|X-Goog-(?:Signature|Credential)|X-Oss-Signature|X-Tos-Signature|AWSAccessKeyId|OSSAccessKeyId|Signature|sig|signature|hmac|sign|Policy|token|access_token|id_token|refresh_token|auth|auth_token|authkey|apikey|api_key|api-key|key|appid|secret|client_secret|code|password|pwd|pass|sas|st|hash|oauth_token|ticket|jwt|session|sessionid|sid|magic|invite)=)([^\s"'<>&#;`)\\\]]{12,4096})/gi,
    accepts: "query",
  },
  {
    kind: "signed-url",
    pattern:
      /((?:sig|signature|token|key|secret|password)%3D)((?:[\w.~+/-]|%(?!26|22|20)[0-9a-f]{2}){10,1024})/gi,
    accepts: "random",
  },
  {
    kind: "webhook",
    pattern: /(\/(?:with\/key|webhooks?|hooks?|services)\/)([\w/-]{20,256})/gi,
    accepts: "random",
  },
  {
    kind: "connection-string",
    pattern:
      /((?:^|[;"'\s?&])(?:AccountKey|SharedAccessKey|SharedAccessSignature|AccessKey|SharedSecretValue)=)([^\s;"'{}<>\\]{4,1024})/gi,
    accepts: "any",
  },
  {
    kind: "connection-string",
    pattern:
      /(=[^=;"'\n]{1,128}; {0,2}(?:Password|Pwd|User Password) {0,2}= {0,2})([^\s;"'{}<>\\]{4,1024})/gi,
    accepts: "any",
  },
  {
    kind: "connection-string",
    pattern: /(; {0,2}(?:Password|Pwd) {0,2}= {0,2}\{)([^{}\n]{3,256})(?=\})/gi,
    accepts: "chosen",
  },
  {
    kind: "azure-key",
    pattern:
      /(["'](?:key1|key2|primaryKey|secondaryKey|value)["']\s?:\s?["']|Cosmos\w{0,12}\([^()\n]{1,80},\s?["'])([A-Za-z0-9+/]{86}==)(?=["'])/g,
    accepts: "random",
  },
  {
    kind: "aws-secret-key",
    pattern:
      /(\b(?:AKIA|ASIA)[A-Z0-9]{16}["'`]?[\s,:/|;]{1,8}["'`]?)([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/g,
    accepts: "random",
  },
  {
    kind: "private-key",
    pattern: /(<(?:D|P|Q|DP|DQ|InverseQ)>)([A-Za-z0-9+/=\s]{40,2000})(?=<)/g,
    accepts: "random",
  },
  {
    kind: "private-key",
    pattern: /(["'](?:d|p|q|dp|dq|qi|k)["']\s{0,4}:\s{0,4}["'])([A-Za-z0-9_-]{40,1400})(?=["'])/g,
    accepts: "random",
  },
  {
    kind: "credential",
    pattern:
      /(\b(?:log_?in|sign_?in|authenticate|credentials?|basic_?auth|auth|PSCredential[^\n'"]{0,30})\s?[=:]?\s?[(\[]?\s?["'][^"'\n]{1,64}["'],\s?["'])([^"'\n\s]{4,128})(?=["'])/gi,
    accepts: "chosen",
  },
  {
    kind: "secret",
    pattern:
      /(\b(?:jwt\.(?:sign|verify|encode|decode)|createHmac|hmac\.new|createCipheriv|ConvertTo-SecureString)[( ](?:[^,\n"']{1,80},|["'][^"'\n]{1,40}["'],)?\s{0,4}b?["'`])([^"'`\n]{6,256})(?=["'`])/g,
    accepts: "chosen",
  },
  {
    kind: "password",
    pattern:
      /(<(?:td|th|dt|b|strong)>\s?(?:\w{1,20} )?(?:password|passphrase|secret|token|api key)\s?:?<\/\w{1,10}>\s{0,20}<(?:td|dd|code|span)>)([^<\s]{5,256})/gi,
    accepts: "chosen",
  },
  {
    kind: "credential",
    pattern:
      /(\b(?:credentials?|creds|log-?in|user(?:name)?|account)\b(?:[ \w]{0,24}[:(=]| is| are|)[ \t]{1,3}["'`]?[\w.@-]{2,40}["'`]?[ \t]?[:/|][ \t]?["'`]?)([^\s"'`|<>,;/][^\s"'`|<>,;]{5,128})/gi,
    accepts: "chosen",
  },
  {
    kind: "password",
    pattern:
      /(\b(?:use|using|accepts?|enter|type|try|with|put)\s["'`]?)([^\s"'`|<>]{6,128})(?=["'`]?\s(?:as|for)\s(?:the|your|a|our|my|its)\s(?:\w{1,20}\s)?(?:password|passphrase|token|secret|api key)\b)/gi,
    accepts: "chosen",
  },
  {
    kind: "pin",
    pattern:
      /(\b(?:PIN|PIN code|[Pp]asscode|OTP|[Oo]ne-time (?:code|password)|[Vv]erification code|2FA code)(?: is| was|:)\s{1,3})([0-9]{4,8})\b/g,
    accepts: "any",
  },
  {
    kind: "mnemonic",
    pattern:
      /(\b(?:(?:seed|recovery|backup|secret)[-_ ](?:phrase|words)|mnemonic)\b[^\n:=]{0,40}?(?:[:=]| is)\s{0,4}["'`]?)([a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})/gi,
    accepts: "any",
  },
];

const STRUCTURES = [...PLACES, ...COMMAND_LINES, ...CREDENTIAL_FILES];

/** In a list of pairs, a value that is more than a setting. */
export const LONG_VALUE: RegExp = /=[^\s;<>${}*]{8}/;

const ACCEPTS: Record<Structure["accepts"], (secret: string) => boolean> = {
  any: () => true,
  random: (secret) => looksRandom(secret) && !readsLikeName(secret),
  chosen: looksChosen,
  strict: isNoName,
  query: (secret) => looksRandom(secret) && !UUID.test(secret) && !readsLikeName(secret),
  pairs: (secret) => LONG_VALUE.test(secret),
};

/**
 * @param text a view
 * @param found where findings go
 */
export function findStructures(text: string, found: Secret[]): void {
  for (const { kind, pattern, accepts } of STRUCTURES) {
    for (const { index, 0: whole, 1: before, 2: secret } of text.matchAll(pattern)) {
      const bare = unquoted(secret);
      if (isPlaceholder(bare) || !ACCEPTS[accepts](bare)) continue;
      const start = index + before.length;
      found.push({ start, end: index + whole.length, kind });
    }
  }
}

function unquoted(secret: string): string {
  const quote = secret[0];
  return (quote === '"' || quote === "'") && secret.endsWith(quote) ? secret.slice(1, -1) : secret;
}
