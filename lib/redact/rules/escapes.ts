// Patterns for other spellings of a text. Pure.

/** The percent-encoding of a printable character other than a blank. */
const PERCENT = "%(2[1-9A-Fa-f]|[3-6][0-9A-Fa-f]|7[0-9A-Ea-e])";
const CODE = String.raw`\\(?:u00|x)(2[1-9A-Fa-f]|[3-6][0-9A-Fa-f]|7[0-9A-Ea-e])`;
const ENTITY = "&#(?:x([2-7][0-9A-Fa-f])|([3-9][0-9]|1[01][0-9]|12[0-6]));";
/** Matches the characters between two parts of one string: quotes and operator, or the backslash of a continued line. */
const JOINT = String
  .raw`["'\x60]\s{0,16}[+.&]\s{0,16}["'\x60]|(?<=\S{8})["']\s{0,4}\\?\n\s{0,16}["']|\\\n`;
/** The place where a terminal broke a token at its width. */
const WRAP = String
  .raw`(?<=[A-Za-z0-9_+/=-]{16})\r?\n[ \t]{0,8}(?=[A-Za-z_+/=-]{0,40}[0-9][A-Za-z0-9_+/=-]{3,200}["'\x60]?[,;)]?\s{0,4}(?:\n|$))`;

export const ESCAPES = {
  padding: /={1,2}$/,
  base64: /^[A-Za-z0-9+/]{8,}$/,
  base64Run: /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,8192}={0,2}(?![A-Za-z0-9+/_-])/g,
  onlyBase64: /^[A-Za-z0-9+/\s]{40,}$/,
  /** A line of a message in Base64. */
  block: /[A-Za-z0-9+/]{60}\r?\n$/,
  readable: /^[\t\n\r -~]{6,}$/,
  /** One spelling. The captures are a code in base 16 or, as the last capture, in base 10. */
  one: new RegExp([PERCENT, CODE, ENTITY, JOINT, WRAP].join("|"), "g"),
};
