/**
 * Whether a value can be a secret: not a placeholder, not code, not an everyday word, and as random
 * as its surroundings demand. Pure.
 *
 * @module
 */

/** Words that stand where a secret would stand. */
const PLACEHOLDER_WORDS = new Set(
  ("password passwd passphrase pass pwd secret token key apikey api_key api-key credential credentials " +
    "mypassword my-password my_password yourpassword your-password your_password mysecret my-secret " +
    "my_secret yoursecret mytoken my-token my_token yourtoken user username changeme change-me change_me " +
    "changeit example sample test testing dummy fake foo bar baz foobar placeholder redacted hidden masked " +
    "removed omitted encrypted none null nil undefined true false yes no on off empty unset default todo " +
    "tbd fixme n/a string str number int integer bool boolean bytes text varchar any unknown object array " +
    "required optional missing invalid valid value values input output env environment variable vault " +
    "basic bearer digest oauth oauth2 jwt saml ldap kerberos anonymous public private inherit prompt " +
    "disabled enabled expired stdin file keychain keyring auto always never manual here hash hashed salt " +
    "plaintext plain md5 sha1 sha-1 sha256 sha-256 sha384 sha512 sha-512 bcrypt bcryptjs scrypt argon2 " +
    "argon2i argon2id pbkdf2 pbkdf2-sha256 hs256 rs256 es256 aes-256 aes256 aes-128 aes128 base64 base-64 " +
    "utf8 utf-8 oauth1 x509 x.509 erc20 erc-20 ipv4 ipv6 http2 k8s i18n l10n e2e p2p s3 ec2 rsa2048")
    .split(" "),
);

/** What templates and people write instead of a secret. */
export const PLACEHOLDER: RegExp = new RegExp(
  [
    String.raw`^\$\{?[A-Za-z_][\w.:-]*\}?$`,
    String.raw`^\$\(|^[-?][a-z ]+$|^!(?:secret|env|vault|ref|sub|getatt|include|reference)\b`,
    String.raw`^%%\w+%%$|^\$\$\w+\$\$$|^@Microsoft|^enc$`,
    String.raw`^%\w+%$|^%[sdv@]$|^%\(\w+\)s$|^@[\w.]+@$|^:\w+$|^\?+$`,
    String.raw`^[<\[{(](?:[A-Za-z ]|[^\n]*[>\]})]$)`,
    String.raw`^(?:your|my|some|insert|enter|put|fake|dummy|test|demo|sample|mock)[-_ ]`,
    String.raw`^(?:your|my|some)[a-z]+$`,
    String
      .raw`^[A-Za-z_$][\w$]{0,40}(?:\.[A-Za-z_$][\w$]{0,40}){1,6}[(\[]|^[A-Za-z_]{2,40}\[|^[A-Za-z_]{2,40}\([^()]{0,60}(?:\(|\)$|$)`,
    String
      .raw`^(?:process\.env|os\.environ|import\.meta|System\.getenv|env\.|ENV\[|secrets\.|vars?\.)`,
    String.raw`^(?:config\.|op:\/\/|arn:|vault:|secretsmanager:|ssm:|ref\+|!Ref|!Sub|keyvault)`,
    String.raw`^(?:(?:my|your|personal|access|auth|api|some|secret|new|old|bot|github)[-_]?){0,4}` +
    String.raw`(?:token|secret|key)(?:value)?[-_]?\d{0,4}$`,
  ].join("|"),
  "i",
);

/** The same within a value. */
export const PLACEHOLDER_PART: RegExp = new RegExp(
  [
    String.raw`\$\{|\{\{|<%|%\{|#\{|\$\{\{`,
    String.raw`\*{3}|\.{3}|\u2026|\u2022{2}|^_{4}|_{4}$|^-{4}|-{4}$|#{4}|(?:x|X){4}`,
    String.raw`[-_ ](?:here|HERE)$`,
    "EXAMPLE|[Ee]xample|[Pp]laceholder|PLACEHOLDER|[Cc]hange[-_]?(?:me|it)|CHANGE[-_]?(?:ME|IT)",
    "REPLACE|[Rr]eplace[-_ ](?:me|with|this)",
    String.raw`\[(?:REDACTED|[Rr]edacted)|(\w)\1{7}`,
  ].join("|"),
);

/** The name of a variable, with or without marks around it. */
export const VARIABLE: RegExp =
  /^[^A-Za-z0-9]{0,4}[A-Z]{1,30}[0-9]{0,2}(?:_[A-Z]{1,30}[0-9]{0,2}){1,8}[^A-Za-z0-9]{0,4}$/;

/** A path, an address, a version or a date. */
export const NOT_A_SECRET: RegExp =
  /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|file:|\.{1,2}\/|~\/|\/(?:Users|Volumes|Library|Applications)\/|(?:aes|hmac|rsa|sha|hs|rs|es)-?\d{3}(?:-\w{2,8})?$|[A-Za-z]:\\|v?\d+(?:\.\d+){1,3}$|v\d+(?:\.\d+){1,3}[-+/]|\d{4}-\d\d-\d\d|\d{1,3}(?:ms|s|m|h|d|%|px|kb|mb|gb)$|\w{1,40}\.(?:json|ya?ml|ts|js|py|go|rs|pem|key|crt|txt|md|toml|env|html|php|java|rb)$)/i;

/** Case tells a path from Base64 that starts with a slash. */
export const ABSOLUTE_PATH: RegExp = /^\/[a-z][a-z0-9_.-]{0,30}(?:\/[\w.@-]{1,40}){0,12}\/?$/;

export const UUID: RegExp = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const CHARACTER_KINDS: readonly RegExp[] = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/];

/** A symbol that names and file names do not have. */
export const ODD_SYMBOL: RegExp = /[^A-Za-z0-9'._/()-]/;
export const LETTERS: RegExp = /^[A-Za-z]+$/;
export const SYMBOLS: RegExp = /[^A-Za-z0-9]/g;
export const DIGIT: RegExp = /[0-9]/;
export const LETTER: RegExp = /[A-Za-z]/;
export const NAME_PARTS: RegExp = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+/g;
export const JOINT: RegExp = /[A-Za-z0-9][_.:/=-][A-Za-z0-9]/;
export const UPPER: RegExp = /[A-Z]/g;

/** How often each unit occurs, those of one remainder together; kept, since making it costs more. */
const counts = new Uint8Array(128);

const LONGEST_JUDGED = 64;

/**
 * @param value what stands where a secret may stand
 * @returns whether it only stands in for one, or is something else for certain
 */
export function isPlaceholder(value: string): boolean {
  const judged = value.slice(0, LONGEST_JUDGED);
  return PLACEHOLDER_WORDS.has(judged.toLowerCase()) || PLACEHOLDER.test(judged) ||
    PLACEHOLDER_PART.test(judged) || VARIABLE.test(judged) || isMarkedWord(judged) ||
    NOT_A_SECRET.test(judged) || ABSOLUTE_PATH.test(judged) ||
    distinct(judged) < Math.min(3, judged.length);
}

/** Such as `%%PASSWORD%%` or `@@token@@`. */
function isMarkedWord(value: string): boolean {
  return !DIGIT.test(value) && PLACEHOLDER_WORDS.has(value.replace(SYMBOLS, "").toLowerCase());
}

/**
 * @param value any text; only its first 64 characters count
 * @returns Shannon entropy, in bits per character
 */
export function entropy(value: string): number {
  const judged = value.slice(0, LONGEST_JUDGED);
  let bits = 0;
  distinct(judged);
  for (let unit = 0; unit < counts.length; unit++) {
    const share = counts[unit] / judged.length;
    if (share > 0) bits -= share * Math.log2(share);
  }
  return bits;
}

/**
 * @param value any text
 * @returns how many of lower case, upper case, digits and anything else it has
 */
export function variety(value: string): number {
  return CHARACTER_KINDS.filter((kind) => kind.test(value)).length;
}

/**
 * @param value any text without blanks
 * @returns whether it looks drawn by chance rather than written
 */
export function looksRandom(value: string): boolean {
  const judged = value.slice(0, LONGEST_JUDGED);
  if (distinct(judged) < Math.min(7, judged.length / 2)) return false;
  if (entropy(judged) < Math.min(2.8, Math.log2(judged.length) * 0.75)) return false;
  if (DIGIT.test(judged)) return LETTER.test(judged) || judged.length >= 20;
  return judged.length >= 14 && isMixedCase(judged);
}

/**
 * @param value a word of a sentence
 * @returns whether it was chosen as a password rather than as a word
 */
export function looksChosen(value: string): boolean {
  const kinds = variety(value);
  if (!DIGIT.test(value)) {
    return kinds >= 3 && value.length >= 8 && ODD_SYMBOL.test(value) || looksRandom(value) ||
      LETTERS.test(value) && value.length >= 10 && isMixedCase(value);
  }
  return LETTER.test(value) && value.length >= (kinds >= 3 ? 5 : 6);
}

/**
 * @param value what follows a flag that means something else to most tools
 * @returns whether no name, path or number looks like it
 */
export function isNoName(value: string): boolean {
  if (UUID.test(value) || value.length >= 32) return looksRandom(value);
  return variety(value.replace(SYMBOLS, "")) === 3 && looksRandom(value) &&
    (value.length >= 16 || ODD_SYMBOL.test(value));
}

/**
 * @param value any text
 * @returns whether it is put together from words and numbers, as names in code and settings are
 */
export function readsLikeName(value: string): boolean {
  return JOINT.test(value.slice(0, LONGEST_JUDGED)) && partLength(value) >= 3.5;
}

/**
 * @param value any text
 * @returns how long its words and numbers are on average: about 1.6 where they stand by chance
 */
export function partLength(value: string): number {
  const parts = value.slice(0, LONGEST_JUDGED).match(NAME_PARTS) ?? [];
  return parts.join("").length / Math.max(1, parts.length);
}

/**
 * @param value letters
 * @returns whether upper case is as frequent, and case changes as often, as by chance and not in names
 */
export function isMixedCase(value: string): boolean {
  const upper = value.match(UPPER)?.length ?? 0;
  return upper > value.length * 0.27 && upper < value.length * 0.73 &&
    humps(value) >= value.length * 0.24;
}

function humps(value: string): number {
  let count = 0;
  for (let at = 1; at < value.length; at++) {
    if (isUpper(value, at) !== isUpper(value, at - 1)) count++;
  }
  return count;
}

function isUpper(value: string, at: number): boolean {
  const unit = value.charCodeAt(at);
  return unit >= 65 && unit <= 90;
}

/**
 * @param value any text, at most 255 units
 * @returns how many different UTF-16 units it has, those with one remainder by 128 counted once
 */
export function distinct(value: string): number {
  counts.fill(0);
  let count = 0;
  for (let at = 0; at < value.length; at++) {
    if (counts[value.charCodeAt(at) & 127]++ === 0) count++;
  }
  return count;
}
