// Patterns that distinguish a secret from a word, a name or a number. Pure.

/** Patterns for values. A pattern that begins with `^` is for a whole value, or for its start. */
export const VALUES = {
  kinds: [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/],
  digit: /[0-9]/,
  letter: /[A-Za-z]/,
  letters: /^[A-Za-z]+$/,
  symbols: /[^A-Za-z0-9]/g,
  noLetters: /[^A-Za-z]{1,64}/g,
  thrice: /([A-Za-z0-9]{3,12})[-_.]{0,2}\1[-_.]{0,2}\1/,
  upper: /[A-Z]/g,
  caseChange: /(?<=[A-Z])[^A-Z]|(?<=[^A-Z])[A-Z]/g,
  /** A symbol that does not occur in names and file names. */
  oddSymbol: /[^A-Za-z0-9'._/()-]/,
  blank: /\s/,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  link: /:\/\/|\]\(|;/,
  number: /^[+-]?[0-9][0-9_,.]*[a-z%]?$/i,
  /** A long value without a blank and full of symbols, but not a link or code. */
  symbolToken:
    /^(?!.{0,80}(?::\/\/|=>|\)\)|[\w)]\(\)?[;)]))(?:[^\s{}&#%^~;|<>!@`]{0,24}[&#%^~;|<>!@`]){4}[^\s{}]{0,1024}$/,
  /** A power of two, as in sizes and flags. */
  powerOfTwo: /^(?:1024|2048|4096|8192|16384|32768|65536)$/,
  longNumber: /^[0-9]{20,}$/,
  /** A name in code, a path to a member, or a word of any language. */
  name:
    /^(?:\$?[A-Za-z_]+\$?(?:(?:\.|->|::|\?\.)[A-Za-z_$]\w*){0,40}|[\xa1\xbf]?[\p{L}\p{M}]+(?:['\u2019-][\p{L}\p{M}]+){0,4})$/u,
  identifier: /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*){0,10}$/,
  /** The name of a setting; and a variable that is named after a password. */
  setting: /^[a-z]{2,20}(?:[_.-][a-z]{1,20}){1,6}$/,
  ofPassword: /pass(?:wor|w)d|_pass_?\d?$/i,
  nameParts: /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+/g,
  joint: /[A-Za-z0-9][_.:/=$-][A-Za-z0-9]/,
  camelWords:
    /^(?!.{0,60}(?:[Pp]ass|[Pp]wd|[Ss]ecret|[Tt]oken|[Kk]ey|[Ff]ield|[Ii]nput|[Vv]alue|[Uu]ser|[Nn]ame|[Tt]ext|[Tt]ype|[Ll]abel|[Ee]rror|[Ii]nvalid|[Hh]ash|[Cc]onfirm|[Ll]ogin|[Aa]uth|[Pp]rompt))[a-zA-Z][a-z]{1,30}(?:[A-Z][a-z]{1,30}){1,5}$/,
  lowerWords: /^[a-z]{1,80}(?:[-_. ][a-z]{1,80}){0,40}$/,
  /** Repeated symbols that do not occur in names and sentences. */
  manySymbols:
    /^(?=[^A-Za-z]{0,80}[A-Za-z])(?:[^{}()[\]$#%^*~<>|&@!?\s\xa1-\xbf]{0,40}[{}()[\]$#%^*~<>|&@!?\xa1-\xbf]){5}/,
  bracket: /[()[\]{}]/g,
  ofCode: /[()[\]{}<>=|\\/]/,
  /** A regular expression, a template, or code. */
  expression:
    /^[\^/]|\(\?|\[(?:[a-zA-Z0-9]-[a-zA-Z0-9]|\^|\\)|\\|=>|->[a-z_]|\(\)|\(["'`\w]{0,40}\)/,
  /** A few words in lower case. */
  spacedWords: /^[a-z0-9]{3,16}(?: [a-z0-9]{3,16}){1,5}$/,
  ofSentence:
    /\b(?:the|your|you|our|with|without|and|not|for|from|has|have|was|are|must|should|can|cannot|could|will|new|old|again|too|show|hide|set|unset|see|use|used|using|only|this|that|all|any|missing|enter|type|required|optional|invalid|valid|wrong|incorrect|reset|forgot|change|changed|confirm|current|repeat|please|match|mismatch|empty|short|long|weak|strong|expired|user|account|login|log|sign|email|name|field|value|string|number|text|hash|hashed|file|password|passwords|passphrase|secret|token|key|default|example|test|none|null|true|false|error|failed|protected|here|sent|saved|stored|encrypted)\b/,
  /** A value with a digit and lower case, unlike short names of constants and records. */
  lowerMixed: /[a-z][^\s]{0,40}[0-9]|[0-9][^\s]{0,40}[a-z]/,
  /** A run of at least 10 letters in lower case. */
  longWord: /^[a-z]{10,}$/,
  passphrase: /^[a-z]{3,12}(?:[- ][a-z]{3,12}){3,23}$/,
  /** A value after the bare word `key`. Keys of a map are shorter, and hashes have no upper case. */
  longKey:
    /^(?=[^A-Z]{0,80}[A-Z])(?=[^0-9]{0,80}[0-9])(?:[A-Za-z0-9_+-]{20,}|[A-Za-z0-9+/_-]{40,}={1,2})$/,
  longSetting: /=(?=[^\s;]{0,80}[0-9A-Z])[^\s;<>${}*]{8}/,
  keyBlock: /[A-Za-z0-9+/]{16}/,
  /** A run of upper case. Keys in Base32 sometimes have no digit. */
  upperOnly: /^[A-Z]{16,}$/,
  bothCases: /[a-z][A-Z].{0,80}[a-z][A-Z]/,
  /** A list, such as of cookies: the end of a value; and the name of a cookie. */
  listEnd: /[\s;,]/,
  partName: /^[\w.-]{1,80}=(?=[^=])/,
  /** Marks around a value that do not belong to it. */
  around: /^[\s"'`\\]{1,8}|[\s"'`\\.,;:]{1,8}$/g,
  wordUnit: /[A-Za-z0-9]/,
};
