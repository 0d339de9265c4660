// Values that stand for a secret or are certainly something else. Pure.

/** Words that people write in place of a secret. */
export const PLACEHOLDER_WORDS: ReadonlySet<string> = new Set(
  ("password passwd passphrase pass pwd secret token key apikey api_key api-key credential credentials " +
    "mypassword my-password my_password yourpassword your-password your_password mysecret my-secret " +
    "my_secret yoursecret mytoken my-token my_token yourtoken user username changeme change-me change_me " +
    "changeit example sample test testing dummy fake foo bar baz foobar placeholder redacted hidden masked " +
    "removed omitted encrypted none null nil undefined true false yes no on off empty unset default todo " +
    "tbd fixme n/a string str number int integer bool boolean bytes text varchar any unknown object array " +
    "required optional missing invalid valid value values input output env environment variable vault " +
    "basic bearer digest oauth oauth2 jwt saml ldap kerberos anonymous public private inherit prompt " +
    "disabled enabled expired on_create pbkdf2_sha256 cram_md5 stdin file keychain keyring auto always never manual here hash hashed salt " +
    "plaintext plain md5 sha1 sha-1 sha256 sha-256 sha384 sha512 sha-512 bcrypt bcryptjs scrypt argon2 " +
    "argon2i argon2id pbkdf2 pbkdf2-sha256 hs256 rs256 es256 aes-256 aes256 aes-128 aes128 base64 base-64 " +
    "utf8 utf-8 latin1 latin-1 compat base64-encoded base64url-encoded for openid oauth1 x509 x.509 erc20 erc-20 ipv4 ipv6 http2 k8s i18n l10n e2e p2p s3 ec2 rsa2048 1password socks4 socks5 http3 wpa2 wpa3 ed25519 x25519 p256 p384 sha3 blake3 ntlmv2 hmacsha1 hmacsha256 hmacsha384 hmacsha512 " +
    "contrase\u00f1a passwort kennwort senha wachtwoord parola has\u0142o heslo \u043f\u0430\u0440\u043e\u043b\u044c \u5bc6\u7801 \u5bc6\u78bc \u30d1\u30b9\u30ef\u30fc\u30c9 \ube44\ubc00\ubc88\ud638")
    .split(" "),
);

/** Matches texts that templates and people write in place of a secret, and texts that are never a secret. */
export const PLACEHOLDERS: readonly RegExp[] = [
  // Texts that must match from the start of the value.
  new RegExp(
    [
      String.raw`^\$\{?[A-Za-z_][\w.:-]*\}?$`,
      String.raw`^\$\(|^[-?][a-z ]+$|^!(?:secret|env|vault|ref|sub|getatt|include|reference)\b`,
      "^(?:123e4567-e89b|550e8400-e29b)-", // ids from documentation
      String.raw`^%%\w+%%$|^\$\$\w+\$\$$|^@Microsoft|^enc$`,
      String.raw`^%\w+%$|^%[sdv@]$|^%\(\w+\)s$|^@[\w.]+@$|^:\w+$|^\?+$`,
      String.raw`^[<\[{(](?:[A-Za-z #]|[^\n]*[>\]})]$)`,
      String
        .raw`^(?:your|some|insert|enter|put|fake|dummy|test|demo|sample|mock|my(?!\S{0,40}[0-9]\S{0,40}[0-9]))[-_ ]`,
      String.raw`^(?:your|my|some)[a-z]{1,16}$`,
      "^(?:new|get|read|convertto)-[a-z]+$", // commands of PowerShell
      String.raw`^(?:test|string|value|foo|bar|name|item|data|text)[-_]?\d{1,2}$`,
      String
        .raw`^[A-Za-z_$][\w$]{0,40}(?:\.[A-Za-z_$][\w$]{0,40}){1,6}[(\[]|^[A-Za-z_]{2,40}\[|^[A-Za-z_]{2,40}\([^()]{0,60}(?:\(|\)$|$)`,
      String
        .raw`^(?:process\.env|os\.environ|import\.meta|System\.getenv|env\.|ENV\[|secrets\.|vars?\.)`,
      String.raw`^(?:config\.|op:\/\/|arn:|vault:|secretsmanager:|ssm:|ref\+|!Ref|!Sub|keyvault)`,
      String
        .raw`^(?:(?:my|your|personal|access|auth|api|some|secret|new|old|bot|github)[-_]?){0,4}` +
      String.raw`(?:token|secret|key)(?:value)?[-_]?\d{0,2}$`,
    ].join("|"),
    "i",
  ),
  // Texts that match any part of the value.
  new RegExp(
    [
      String.raw`\$\{[\w.:?=+ -]{0,60}(?:[^\w.:?=+ \]-]|$)|\{\{[^{}]{0,80}(?:\}\}|$)|<%|%\{|#\{`,
      String.raw`\*{3}|\.{3}|\u2026|\u2022{2}|^_{4}|_{4}$|^-{4}|-{4}$|#{4}|x{4}|X{4}`,
      String
        .raw`[-_ ](?:here|HERE)$|\]\(|\.html?#|\$[({]?[A-Z0-9]+_[A-Z_]+|^\s|^\+[a-z]\w*\.|^[})\]]{1,4}\.[a-z]|^[/?]{0,2}[a-z]\w{0,40}=[^\s\d=&]{1,30}$|^%s:%s@|\[\^|^~?\d+\.\d+-\d+\.\d+$|^\w+\][)\]]|^%[a-zA-Z](?:$|\W)|^@[A-Z][a-zA-Z]+$|^\w{1,32}:?@(?:tcp|unix)\(|^%2F`,
      String.raw`[\u3040-\u30ff\u3400-\u9fff]{3}|[\u3001\u3002\uff0c]`, // a sentence
      "EXAMPLE|[Ee]xample|[Pp]laceholder|PLACEHOLDER|[Cc]hange[-_]?(?:me|it)|CHANGE[-_]?(?:ME|IT)",
      "REPLACE|[Rr]eplace[-_ ](?:me|with|this)",
      String
        .raw`\[(?:REDACTED|[Rr]edacted)|([^\WA])\1{7}|(?<![b-z][A-Z0-9][A-Za-z0-9+/]{0,60})A{8}(?![A-Za-z0-9+/]{0,60}[b-z][A-Z0-9])`,
    ].join("|"),
  ),
  // The name of a variable, with or without marks around it.
  /^(?:\$[A-Z_]{2,30}){2,10}$|^[^A-Za-z0-9]{0,4}[A-Z]{1,30}[0-9]{0,2}(?:_[A-Z]{1,30}[0-9]{0,2}){1,8}[^A-Za-z0-9]{0,4}$/,
  // A path, an address, a version, a date or a small number.
  /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|file:|\.{1,2}\/|~\/|\/(?:Users|Volumes|Library|Applications)\/|(?:aes|hmac|rsa|sha|hs|rs|es)-?\d{3}(?:-\w{2,8})?$|[A-Za-z]:\\|v?\d+(?:\.\d+){1,3}$|v\d+(?:\.\d+){1,3}[-+/]|\d{4}-\d\d-\d\d|\d{1,3}(?:ms|s|m|h|d|%|px|kb|mb|gb)$|0x[0-9a-f]{1,8}$|[\w./-]{1,80}\.(?:json|ya?ml|ts|js|py|go|rs|pem|key|crt|txt|md|toml|env|html|php|java|rb|cs|kt|so|xml|zip|t?gz)$)/i,
  // A type of Go, a member of a class, a format of printf, an option, a range or name of a package, a checksum,
  // a length of time, an algorithm.
  /^(?:[*&][A-Za-z_][\w.]*(?:[[{][^\s]*)?|\[\d*\][\w.*]+|this\.[\w.#]+|[^\s]{0,40}%\[\d\][a-z][^\s]*|--[a-z][a-z0-9-]*(?:=[^\s]*)?|[\^~]?\d+\.\d+\.\d+[\w.+-]*|(?:@[\w.-]+\/)?[\w.-]+@(?:[a-z]{2,12}:)?[\^~]?\d+\.\d+[\w.+-]*|\d{3}-[A-Z]{3}|sha\d{1,3}-[A-Za-z0-9+/=]+|(?:\d+(?:ms|[hms])\/?){2,12}|hmac[-_]?sha-?\d{1,3})$/,
  // Values in tests and documents that are visibly no secrets, such as `my-secret-key`.
  /^[a-z]{2,4}_(?:abc|def|ghi|xyz)_?\d{3}$|^[a-z]{1,20}\d?(?:[-_./][a-z]{1,20}\d?){0,5}[-_./](?:token|password|passwd|passphrase|secret|key|pass|username|password_confirmation)\d?$|^[a-z]{1,20}(?:[A-Z][a-z]{1,20}){0,4}\d{0,3}(?:Pwd|Password|Token|Secret|Key|Base64)$/,
  // Code that joins texts, other settings, versions of packages, positions in files, constants and names of code.
  /^\.\s?(?:\$\w|[a-z_]\w{0,40}\()|^[a-z][\w-]{0,30}(?:\.[\w-]{1,40}){1,8}=|^[~^]\d+(?:\.\d+){0,2}(?:\|{1,2}[~^]\d+(?:\.\d+){0,2}){0,4}$|^self\.version$|^(?:npm|workspace|patch|portal):[\^~>=*\d@]|^[\w./-]{1,80}:\d{1,5}:\d{1,4}$|^[a-z]\w{0,40}\/\d$|^PBKDF2[\w-]{0,24}$|^\w{1,40}\.[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,8}$|^\\?[A-Z]\w{0,40}(?:\\{1,2}\w{1,40}){1,8}(?:::|$)|^[A-Za-z]\w{0,40}(?:::[A-Za-z]\w{0,40}){1,5}$|^\$\w{1,40}\[|^\$\.{1,2}[[\w]|^0123456789(?:abcdef|ABCDEF)$|\.k8s\.io(?:\/v\d|$)|^(?:string|text):[a-z]|^(?:(?:ecdsa|rsa)-sha2|ssh)-[\w,@.-]{1,99}$|^\^.{1,60}\$$|^[A-Za-z]{1,20}(?:\|[A-Za-z]{1,20}){1,8}$|^[A-Z][A-Z0-9_]{2,40}[?:+]=|^\[?:?(?:alnum|alpha|digit):\]|^LS0tLS1CRUdJTiBDRVJU|^[\w%.*]{2,12}-(?:HMAC|ECDSA)-(?:P256-)?SHA\d{3}$/,
  // One or two characters that repeat.
  /^(.)(?:\1{1,63}|\1{0,63}(?!\1)(.)(?:\1|\2){1,63})$/s,
  // Paths. Their case distinguishes them from Base64 that starts with a slash.
  /^(?:\/-|\/\/[a-z0-9.:-]{1,60}|@[a-z][\w.-]{0,30}|\/[a-z][a-z0-9_.-]{0,30})(?:\/[\w.@:-]{1,40}){0,12}\/?$/,
];
