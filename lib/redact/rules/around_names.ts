// Patterns for the text between a word that names a secret and its value. Pure.

/** Endings of names that do not hold the secret itself. */
export const NAME_ENDINGS: ReadonlySet<string> = new Set(
  ("id ids name names type types file files filename path paths url urls uri uris link endpoint host hash hashes " +
    "hashed digest checksum fingerprint length len size count counts total limit limits min max usage used " +
    "expiry expires expire expired expiration ttl age lifetime duration timeout date time created updated " +
    "rotated rotation rotate field fields label labels hint hints policy policies manager provider store " +
    "storage reset resets version versions algorithm alg input prompt placeholder enabled disabled required " +
    "optional error errors message messages class ref refs arn header headers format regex pattern scope " +
    "scopes issuer audience budget cost costs price index offset position kind status state required " +
    "column table template strength complexity validator validation verify check checker generator " +
    "env var variable variables form page view screen button icon title description text help doc docs " +
    "map list set array counter estimator izer reader writer parser stream mode option options config " +
    "settings namespace encoding per s vault location dir directory folder prefix suffix pos range window spec pair alias material purpose bits curve ring chain board frame " +
    "algo with ident uid gid usages source mgr alphabet charset chars username").split(" "),
);

/** The verbs between the word and the value in a sentence. */
const VERBS = [
  "is|was|are|be|equals|reads|remains|becomes|set to|changed to|now|named|called|being|=",
  "ist|lautet|war|hei(?:\u00df|ss)t|est|sera|\u00e9tait|es|era|ser\u00e1|\u00e9|\u00e8|e'|foi|sar\u00e0|jest|to|to jest|je|er|\u00e4r|on|luidt|este|olarak|adalah|l\u00e0",
  "\u044d\u0442\u043e|\u0431\u0443\u0434\u0435\u0442|\u0446\u0435|--?|[\u2013\u2014]|->|=>|\u2192",
].join("|");

/** Patterns for the name. They match from the end of the word, unless their comment states otherwise. */
export const NAME = {
  /** The rest of the name after the word. */
  rest: /^[A-Za-z0-9_.-]{0,60}/,
  /** The parts of a name: runs of lower case, with or without a capital, and runs of upper case. */
  parts: /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g,
  /** Marks at the end of a name. A full stop belongs to the sentence, not to the name. */
  end: /[.-]{1,60}$/,
  /** From the last letter of the word on: the word continues as another word, except as a plural. */
  continues: /^[A-Za-z](?=[a-z])(?![sne]?(?![a-z]))/,
  followingWord: /^\s[a-z]{1,20}(?! to )/,
  nonAscii: /[^\x20-\x7e]/,
  /** The text before a name in an address. */
  beforeInAddress: /(?::\/\/|\barn:|\b[\w-]{1,40}\.(?:com|dev|io|net|org)\/)[^\s{?#"';,&=]{0,90}$/,
  /** The text before the name of a token that opens nothing, or before the type of a declaration. */
  beforeOtherToken:
    /(?:public(?:[-_ ]?key)?|next|previous|starting|page|paging|pagination|continuation|continue|cancel|cancellation|sync|sequence|idempotency|progress|change|lock|resume|design|css|color|style)[-_ .]?$|request[-_ ]?$|\btype=\\?["']?$|\{\{[^{}]{0,80}$|(?:^|[^a-z])is[-_]?$|\b(?:resource|data) "\w{0,80}$/i,
  /** `PWD` as a variable in use, or as the country code of Palau in a locale. */
  folder: /^(?:PWD?|pwd)$/,
  beforeUse: /\$[{(]?$|["'][a-z]{2,3}[_-]$/,
  /** The text before `PASS: name` of a test, unless a user was named before. */
  beforeVerdict:
    /\b(?:should|must|now|will|can|to|the|each|every|tests?|checks?|packages?|gates?|[A-Z]{1,3}\d{1,3})\s{1,4}(?:\w{1,12}\s{1,4})?$/i,
  /** The text after a verdict: a word, or a path of words. */
  verdict: /^:\s{1,4}[`"']?[a-z]{2,30}(?:[\s/`,.)]|$)/,
  /** The text after a verdict: a sentence. */
  verdictInWords: /^:\s{1,4}[^\s]{1,60}\s[a-z]{2,30}\s[a-z]{2,30}/,
  beforeOutcome: /\|[\s*`]{1,4}$|(?:^|\n)[^A-Za-z\n]{0,80}$/,
  /** The text after the name if it is set, so that it is not an outcome. */
  set: /^["'\])]{0,2}[ \t]{0,8}:?=/,
  beforeWithUser: /\b(?:user(?:name)?|login|account)["']? ?[:= ][^\n]{0,60}\n?[^\n]{0,20}$/i,
  /** The text before the name: the user, on the same line. */
  beforeAfterUser:
    /\b(?:user(?:name)?|login|account)(?: ?[:=])? ?["']?[\w.@\\-]{1,64}["']?(?:[ \t,;/|]{1,8}|,? (?:and|with) (?:the |a )?)$/i,
  /** The text before the name in a line of a shell or a file that sets it. */
  beforeInLine:
    /(?:^|\n)[ \t]{0,16}(?:(?:export|set|setx|ENV|ARG|env|declare -x|-e|--env|-|\+|\*|\*\*|__|\$env:|\$|#|\/\/|>)[ \t]{0,4}){0,2}["']?[A-Za-z0-9_.:$\/-]{0,80}$/,
  /** The text before the name as part of a longer name. The capture is the first word of that name. */
  family: /(?:^|[^A-Za-z0-9_.-])([a-z]{2,20})[_.-](?:[a-z]{1,20}[_.-]){0,4}$/,
  /** The text before the name as part of a longer name in quotation marks, or of a constant. */
  beforeInQuotes: /["'`][\w-]{1,40}\.?[\w-]{0,40}$|[A-Z]_$/,
  /** The text before the name as a parameter of an address. */
  beforeInQuery: /[?&][\w.-]{0,80}$/,
};

/** Patterns for the text from the name to the value. */
export const LEAD = {
  /** In code or in a file. The captures are the assignment mark and a call. */
  assignment:
    /^(?:\[\d{0,4}\])?(?:\\{0,3}["'`]|&quot;|%22|\*\*|__)?[\])}]{0,2}[^\S\n]{0,16}?(?:\?|!)?(?:\[\d{0,4}\] ?| As \w{1,20} )?(?:: ?[&*A-Za-z\[][\w<>|.,;&*'\[\]? ]{0,40}?(?==[^=\r\n]))?(===?|!==?|:=|:-|:{2,3}=?|=>|->(?:(?<=[\s"'`]->)(?! ?[\w.-]{1,40}\/)|(?=["'`]))|<-|\?=|\|\|=|\?\?=|(?:\|\||\?\?|\?:|or)(?= ?["'`])|=|%3[AD]|: ?=|:|,|\(|\{|do(?=\s{1,32}["'])|<br ?\/?>|>|\uff1a|\uff1d|(?<=[ \t])(?:\|(?=[ \t])|\.(?=[ \t]["'])))(?:\*\*|__)?\s{0,32}(?:```\w{0,12}\n|\*\*|base64:|!![a-z]{1,12} |<(?:code|b|strong|kbd|tt|em|i|span)>|&[a-z]\w{0,20} |\(\s{0,24}(?=["'`])|<<(?=")|(?:\[\]byte|bytes|new String|Secret(?:Str)?|Buffer\.from)\((?=["'`]))?((?:(?:new |\[\])?[A-Za-z_.:]{1,40}\(){1,3}(?=["'`]))?/,
  /** In another pair of the same object: `name: X, value: Y`. */
  otherPair:
    /^(?:\\{0,3}["'`])?(?:[,;]\s{0,80}|\s{1,80}|\s{0,4}[:=]\s{0,4}\{?\s{1,40})(?:["']?\w{1,24}["']?\s{0,16}[:=]\s{0,4}["']?[\w .-]{0,40}["']?[,;]?\s{1,40}){0,2}(?:\\{0,3}["'])?(?:-\s)?(?:(?:parameter_?)?value|default)(?:\\{0,3}["'])?\s{0,16}[:=]\s{0,8}/i,
  /** A value from elsewhere with the secret as its default. */
  fallback:
    /^\(?[A-Za-z_$][\w.$\[\]"'():]{0,80}\s{0,4}(?:\|\||\?\?|\bor\b|\?:|\?[^\n;]{1,80}?[?:])\s{0,4}(?=["'`])|^[A-Za-z_][\w.:]{0,40}\(\s?["'][\w.:-]{1,60}["'],\s{0,4}(?=["'])/,
  /** The end of a sentence part about something else. */
  other: /\b(?:fingerprint|hash|digest|checksum|noqa)\W{1,8}(?:(?:is|was)\s)?$/i,
  block: /^[|>][+-]?[ \t]{0,4}\n[ \t]{1,32}/,
  sentence: new RegExp(
    String
      .raw`^(?:["'\`]|\*\*|__)?(?:\s{1,4}[^\s:=.!?;]{1,32}){0,6}?(?:\s{1,4}(?:${VERBS})|\s{1,4}[^\s:=.!?;]{1,32}:)(?:\s{0,2}:|\s{1,4}(?:still|now|currently|simply|just|actually|again|set to|changed to|reset to|updated to|rotated to|:))?\s{1,24}(?:\`\`\`\w{0,12}\n)?`,
    "i",
  ),
  /** In a sentence without spaces between its words. */
  unspaced:
    /^[^\n\x21-\x7e]{0,12}?(?:\u662f|\u4e3a|\u70ba|\u306f|\uff1a|:|\uc740|\ub294)\s{0,2}["'`\u300c\u201c]?/,
  nextWord: /^(?:["'`]|\*\*|__)?[^\S\n]{1,40}\(?(?:to |with |as |de |:)?/,
  /** The end of the lead if the value is the first text on its line, except marks. */
  toLine: /\n[^\S\n]{0,40}[-*>+`"'|$#]{0,6}[^\S\n]{0,8}$/,
};

/** Patterns for the value and the text after it. */
export const VALUE = {
  /** A value in quotation marks. One of the captures after the opening mark is the value. */
  quoted:
    /^\*?(?:[bfruBFRUN@$]{1,2})?(?:("""|'''|["'`]|&quot;|%22)((?:(?!\1(?![A-Za-z0-9]))(?:\\[^]|[^\n])){1,1024})|(\\{1,3}(?:"""|'''|["'`]))((?:(?!\3)[^\n]){1,1024})|\u201c([^\n\u201d]{1,1024})|\u300c([^\n\u300d]{1,1024})|\u00ab\s?([^\n\u00bb]{1,1024}))/,
  /** A value up to the next blank. */
  line: /^[^\s;\\]{0,160}(?:\\(?![nrt"'`\\])[^\s;\\]{0,160}){0,4}/,
  /** A value up to the end of the line, without closing marks. The capture is the value. */
  marked: /^([^\s"'`\\]{8,160}?)["'`,;]{0,2}[ \t]{0,4}(?:\r?\n|$)/,
  /** A value in code. */
  code: /^[^\s"'`,;<>(){}\[\]&|\\]{0,160}(?:\\(?![nrt"'`\\])[^\s"'`,;<>(){}\[\]&|\\]{0,160}){0,4}/,
  /** A value in an address. */
  query: /^[^\s"'`<>&#;)\\]{1,160}/,
  /** A value as a word of a sentence. */
  word: /^[^\s"'`\u201c\u201d<>|\\]{1,160}/,
  /** Marks after a value that do not belong to it, in code and in a sentence. */
  endOfCode: /[.,;:\\]{1,8}$/,
  endOfWord: /(?:[.,;:?)\]}\u3002\uff0c\u3001\u300d\u201d\u00bb]|\*\*){1,8}$/,
  /** The declaration of a variable. */
  declared: /^[a-z]\w{1,60} {1,4}=(?!=)/,
  compared: /[!=]=[ \t]{0,8}$/,
  /** The text after code that is not a value: a call, or another part of code. */
  codeAfter: /^(?:[(\[]|\?\.|\.[a-z]{1,20}\()/,
  /** The text after an identifier in a list: another argument, element or statement. */
  listAfter: /^[,;)\]}]/,
  /** The text after a value that ends its line, except marks. */
  lineEnd: /^[ \t]{0,40}(?:[#\r\n]|$)/,
  lineRest: /^[`"'*_)}\],;.]{0,6}[^\S\n]{0,40}(?:\n|$)/,
  /** Texts that cannot be values in a sentence: links, code, and other settings. */
  notStated:
    /:\/\/|^[A-Z]{2,6}-\d{1,5}$|^@[A-Z0-9]|[\w\])]\(|=>|^[A-Za-z_][\w.-]{0,40}=[^=]|^[A-Za-z_.-]{1,20}=$/,
  /** A value before the name, as in "X is the password". The captures are the value and the text after it. */
  statedBefore:
    /(?<![^\s("'`*:])([^\s"'`*()<>|\\]{5,64})(["'`*]{0,3}\s{1,4}(?:is|was|as|ist|est|es)\s{1,4}(?:[^\s.:;!?]{1,12}\s{1,4}){0,4})$/,
};
