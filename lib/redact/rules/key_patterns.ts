/**
 * What stands around a word that names a secret, up to the value: data. Pure.
 *
 * @module
 */

import { KEY_ROOTS, KEY_WORDS, VERBS } from "./key_words.ts";

/** Any of the words; the capture that is set tells which. */
export const KEY: RegExp = new RegExp(
  KEY_WORDS.map(({ word, isAlone }) =>
    isAlone ? `((?<![A-Za-z]|[a-z](?=[a-z]))(?:${word})(?![a-z]))` : `(${word})`
  ).join("|"),
  "gi",
);

/** Parts of the words, at least one of which each word has: where none stands, no word can. */
export const KEY_ROOT: RegExp = new RegExp(KEY_ROOTS.join("|"), "gi");

/** The rest of the name. */
export const NAME_REST: RegExp = /[A-Za-z0-9_.-]{0,60}/y;

/** What parts a name: marks, and where upper case starts. */
export const NAME_PART: RegExp = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** From the name to a value in code or in a file; captured is the mark. */
export const ASSIGNMENT: RegExp =
  /(?:\\{0,3}["'`]|&quot;|%22|\*\*|__)?[\])}]{0,2}[^\S\n]{0,16}?(?:\?|!)?(?:\[\d{0,4}\] ?)?(?:: ?[&*'A-Za-z\[][\w<>|.,;&*'\[\] ]{0,40}?(?==[^=]))?(===?|!==?|:=|=>|->|<-|\?=|\|\|=|\?\?=|=|%3[AD]|: ?=|:|,|\(|\{|<br ?\/?>|>|\uff1a|\uff1d|(?<=[ \t])\|(?=[ \t]))(?:\*\*|__)?\s{0,32}(?:```\w{0,12}\n|\*\*|base64:|!![a-z]{1,12} |<(?:code|b|strong|kbd|tt|em|i|span)>|&[a-z]\w{0,20} )?((?:new |\[\])?[A-Za-z_.:]{1,40}\((?=["'`]))?/y;

/** From a name to the value in another pair: `name: X, value: Y`. */
export const NAME_VALUE: RegExp =
  /(?:\\{0,3}["'`])?(?:[,;]\s{0,80}|\s{1,80})(?:\\{0,3}["'])?(?:-\s)?value(?:\\{0,3}["'])?\s{0,4}[:=]\s{0,8}/iy;

/** From the word to the value in a sentence. */
export const SENTENCE: RegExp = new RegExp(
  String
    .raw`(?:["'\`]|\*\*|__)?(?:\s{1,4}[^\s:=.!?;]{1,32}){0,6}?(?:\s{1,4}(?:${VERBS})|\s{1,4}[^\s:=.!?;]{1,32}:)(?:\s{0,2}:|\s{1,4}(?:still|now|currently|simply|just|actually|again|set to|changed to|reset to|updated to|rotated to|:))?\s{1,24}(?:\`\`\`\w{0,12}\n)?`,
  "iy",
);

/** The same where nothing parts the words. */
export const SENTENCE_CJK: RegExp =
  /[^\n\x21-\x7e]{0,12}?(?:\u662f|\u4e3a|\u70ba|\u306f|\uff1a|:|\uc740|\ub294)\s{0,2}["'`\u300c\u201c]?/y;

/** A value right after the word. */
export const NEXT_WORD: RegExp =
  /(?:["'`]|\*\*|__)?[^\S\n]{1,8}\(?(?:of |to |with |as |for |de |:)?/y;

/** A value before the word, as in "X is the password"; captured are the value and its rest. */
export const TOLD_BEFORE: RegExp =
  /(?<![^\s("'`*:])([^\s"'`*()<>|\\]{5,64})(["'`*]{0,3}\s{1,4}(?:is|was|as|ist|est|es)\s{1,4}(?:[^\s.:;!?]{1,12}\s{1,4}){0,4})$/;

/** What opens a quoted value. */
export const QUOTE: RegExp =
  /\*?(?:[bfruBFRU@$]{1,2})?(\\{0,3}(?:"""|'''|["'`])|&quot;|%22|\u201c|\u300c|\u00ab\s?)/y;

/** A value to the end of the line, to the next blank, in code, and as a word of a sentence. */
export const BARE: Readonly<Record<"line" | "code" | "query" | "word", RegExp>> = {
  line: /[^\s;\\]{0,160}(?:\\(?![nrt"'`\\])[^\s;\\]{0,160}){0,4}/y,
  code: /[^\s"'`,;<>(){}\[\]&|\\]{0,160}(?:\\(?![nrt"'`\\])[^\s"'`,;<>(){}\[\]&|\\]{0,160}){0,4}/y,
  query: /[^\s"'`<>&#;)\\]{1,160}/y,
  word: /[^\s"'`\u201c\u201d<>|\\]{1,160}/y,
};

/** What stands before a name that is set in a shell or a file. */
export const LINE_START: RegExp =
  /(?:^|\n)[ \t]{0,16}(?:(?:export|set|setx|ENV|ARG|env|declare -x|-e|--env|-|\+|\$env:|\$|#|\/\/|>)[ \t]{0,4}){0,2}["']?[A-Za-z0-9_.:$\/-]{0,80}$/;

/** A value from elsewhere, for which the secret is the default. */
export const DEFAULT: RegExp =
  /[A-Za-z_$][\w.$\[\]"'()]{0,80}\s{0,4}(?:\|\||\?\?|\bor\b|\?:)\s{0,4}(?=["'`])/y;

export const BLOCK_SCALAR: RegExp = /[|>][+-]?[ \t]{0,4}\n[ \t]{1,32}/y;
export const NAME_ONLY: RegExp = /^[A-Za-z_$][A-Za-z_$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$]\w*){0,40}$/;
export const NUMBER_ONLY: RegExp = /^[+-]?[0-9][0-9_,.]*[a-z%]?$/i;
export const LOWER_WORDS: RegExp = /^[a-z]{1,80}(?:[-_. ][a-z]{1,80}){0,40}$/;
export const CODE_AFTER: RegExp = /[(\[]|\?\.|\.[a-z]{1,20}\(/y;
export const SENTENCE_END: RegExp = /[.,;:?)\]}\u3002\uff0c\u3001\u300d\u201d\u00bb]{1,8}$/;
export const QUERY: RegExp = /[?&][\w.-]{0,80}$/;
export const LINK: RegExp = /:\/\/|\]\(|;/;
export const IN_ADDRESS: RegExp = /(?::\/\/|\barn:)[^\s/]{0,90}$/;
/** A link, code, or another setting. */
export const NOT_TOLD: RegExp = /:\/\/|\]\(|[A-Za-z_\])]\(|=>|^[A-Za-z_][\w.-]{0,40}=[^=]/;
/** Under the bare word: keys of a map are shorter, and hashes have no upper case. */
export const LONG_KEY: RegExp =
  /^(?=[^A-Z]{0,80}[A-Z])(?=[^0-9]{0,80}[0-9])(?:[A-Za-z0-9_+-]{32,}|[A-Za-z0-9+/_-]{40,}={1,2})$/;
/** Names of tokens that open nothing. */
export const OTHER_TOKEN: RegExp =
  /(?:public|next|starting|page|paging|pagination|continuation|continue|request|cancel|cancellation|sync|lock|resume|design|css|color|style)[-_ .]?$/i;
export const LOWER: RegExp = /[a-z]/;
export const BLANK_OR_MARK: RegExp = /[^A-Za-z0-9+/_-]/;
export const BLANK: RegExp = /\s/;
export const PLURAL: RegExp = /^[sne]?(?![a-z])/;
export const NAME_END: RegExp = /[.-]{1,60}$/;
export const LINE_END: RegExp = /^[ \t]{0,40}(?:[#\r\n]|$)/;
export const FOLLOWING_WORD: RegExp = /\s[a-z]{1,20}/y;
export const VERB: RegExp = /^pass$/i;
/** Of a test: `PASS: name`, unless a user was named before. */
export const OUTCOME: RegExp = /^PASS$/;
export const NO_NAME_BEFORE: RegExp = /(?:^|\n)[^A-Za-z\n]{0,80}$/;
export const USER_BEFORE: RegExp =
  /\b(?:user(?:name)?|login|account)["']? ?[:= ][^\n]{0,60}\n?[^\n]{0,20}$/i;
/** Up to a value that is the first of its line, but for marks. */
export const LINE_LEAD: RegExp = /\n[^\S\n]{0,40}[-*>+`"'|$#]{0,6}[^\S\n]{0,8}$/;
/** After a value that is the last of its line. */
export const LINE_REST: RegExp = /^[`"'*_)}\],;.]{0,6}[^\S\n]{0,40}(?:\n|$)/;
export const PASSPHRASE: RegExp = /^[a-z]{3,12}(?:[- ][a-z]{3,12}){3,23}$/;
export const NON_ASCII: RegExp = /[^\x20-\x7e]/;
/** What ends a value in code without belonging to it. */
export const SENTENCE_END_OF_CODE: RegExp = /[.,;:\\]{1,8}$/;
